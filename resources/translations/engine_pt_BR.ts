<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- The engine's sentences: the source is the pattern given to failure(), each {} an argument. Where the order of the
     arguments must change, write {0}, {1} and so on. Kept by hand, in alphabetical order; ui_translation_test tells
     which are missing. -->
<TS version="2.1" language="pt_BR" sourcelanguage="en">
<context>
    <name>engine</name>
    <message>
        <source>A KV cache of type q8_0 needs heads of a multiple of 32 elements; those of {} have {}. Choose f16 or f32.</source>
        <translation>Um cache KV do tipo q8_0 precisa de cabeças de atenção cujo número de elementos seja múltiplo de 32; as de {} têm {}. Escolha f16 ou f32.</translation>
    </message>
    <message>
        <source>Conversations cannot be read from {}: {}.</source>
        <translation>Não foi possível ler as conversas em {}: {}.</translation>
    </message>
    <message>
        <source>Conversations cannot be saved to {}: {}. Nothing is lost while this window stays open; make room or make the folder writable, and saving goes on by itself.</source>
        <translation>Não foi possível salvar as conversas em {}: {}. Nada se perde enquanto esta janela ficar aberta; libere espaço ou permita escrita na pasta, e o salvamento continua sozinho.</translation>
    </message>
    <message>
        <source>Loading was cancelled.</source>
        <translation>O carregamento foi cancelado.</translation>
    </message>
    <message>
        <source>No model is loaded; choose one first.</source>
        <translation>Nenhum modelo está carregado; escolha um primeiro.</translation>
    </message>
    <message>
        <source>PCRE2 cannot compile the expression {} ({}, at {}). A PCRE2 with Unicode support is needed.</source>
        <translation>O PCRE2 não consegue compilar a expressão {} ({}, na posição {}). É necessário um PCRE2 com suporte a Unicode.</translation>
    </message>
    <message>
        <source>Something went wrong inside while it was answering; the model was put away. Load it again.</source>
        <translation>Ocorreu um erro interno durante a resposta; o modelo foi descarregado. Carregue-o novamente.</translation>
    </message>
    <message>
        <source>The KV cache is full: {} positions are not enough.</source>
        <translation>O cache KV está cheio: {} posições não bastam.</translation>
    </message>
    <message>
        <source>The chat database {} cannot be brought from format {} to {}: {}.</source>
        <translation>Não foi possível converter o banco de conversas {} do formato {} para o {}: {}.</translation>
    </message>
    <message>
        <source>The chat database {} cannot be opened: {}. Check that its folder exists and is writable.</source>
        <translation>Não foi possível abrir o banco de conversas {}: {}. Verifique se a pasta existe e permite escrita.</translation>
    </message>
    <message>
        <source>The chat template cannot render this conversation: {}</source>
        <translation>O modelo de conversa (template) não consegue montar esta conversa: {}</translation>
    </message>
    <message>
        <source>The chat template has a mistake in line {}: {}</source>
        <translation>O modelo de conversa (template) tem um erro na linha {}: {}</translation>
    </message>
    <message>
        <source>The chat template is nested deeper than {} levels; it was stopped.</source>
        <translation>O modelo de conversa (template) tem mais de {} níveis aninhados; foi interrompido.</translation>
    </message>
    <message>
        <source>The chat template refuses this conversation: {}</source>
        <translation>O modelo de conversa (template) recusa esta conversa: {}</translation>
    </message>
    <message>
        <source>The chat template takes too long; it was stopped after {} steps.</source>
        <translation>O modelo de conversa (template) demora demais; foi interrompido após {} passos.</translation>
    </message>
    <message>
        <source>The chat template writes more than {} bytes; it was stopped.</source>
        <translation>O modelo de conversa (template) escreve mais de {} bytes; foi interrompido.</translation>
    </message>
    <message>
        <source>The conversation is nested deeper than {} levels.</source>
        <translation>A conversa tem mais de {} níveis aninhados.</translation>
    </message>
    <message>
        <source>The conversations in {} were written by a newer Constela (format {}, this one knows {}). They are left untouched; use the newer program to open them.</source>
        <translation>As conversas em {} foram gravadas por um Constela mais novo (formato {}; este conhece até o {}). Elas não foram alteradas; use o programa mais novo para abri-las.</translation>
    </message>
    <message>
        <source>The file {} cannot be read as a chat database: {}. Move it away to start with an empty one.</source>
        <translation>O arquivo {} não pode ser lido como banco de conversas: {}. Mova-o para outro lugar para começar com um vazio.</translation>
    </message>
    <message>
        <source>The kernels {} cannot run on this machine: {}. Choose none (leave --kernels out), and the best that can run here are taken.</source>
        <translation>Os kernels {} não podem rodar nesta máquina: {}. Não escolha nenhum (deixe --kernels de fora), e serão usados os melhores que funcionam aqui.</translation>
    </message>
    <message>
        <source>The logit bias of the token {} is not a number.</source>
        <translation>O viés de logit do token {} não é um número.</translation>
    </message>
    <message>
        <source>The machine has run out of memory while it was answering; the model was put away. Close other programs, or load it with a shorter context.</source>
        <translation>A máquina ficou sem memória enquanto respondia; o modelo foi descarregado. Feche outros programas ou carregue-o com um contexto menor.</translation>
    </message>
    <message>
        <source>The model is still being loaded; ask again when it is ready.</source>
        <translation>O modelo ainda está sendo carregado; pergunte novamente quando ele estiver pronto.</translation>
    </message>
    <message>
        <source>The penalties are to look at {} tokens; -1 (all) or more was expected.</source>
        <translation>As penalidades devem considerar {} tokens; esperava-se -1 (todos) ou mais.</translation>
    </message>
    <message>
        <source>The presence penalty is {} and the frequency penalty {}; numbers from -100 to 100 were expected (0: none).</source>
        <translation>A penalidade de presença é {} e a de frequência {}; esperavam-se números de -100 a 100 (0: nenhuma).</translation>
    </message>
    <message>
        <source>The prompt has {} tokens, but the context holds only {} and the answer needs room too. Shorten the prompt, or load the model with a longer context.</source>
        <translation>O prompt tem {} tokens, mas no contexto só cabem {}, e a resposta também precisa de espaço. Encurte o prompt ou carregue o modelo com um contexto maior.</translation>
    </message>
    <message>
        <source>The prompt is empty; there is nothing to answer.</source>
        <translation>O prompt está vazio; não há nada a responder.</translation>
    </message>
    <message>
        <source>The repetition penalty is {}; a number from 0.01 to 100 was expected (1: none).</source>
        <translation>A penalidade de repetição é {}; esperava-se um número de 0.01 a 100 (1: nenhuma).</translation>
    </message>
    <message>
        <source>The temperature is {}; a number from 0 to 1000 was expected.</source>
        <translation>A temperatura é {}; esperava-se um número de 0 a 1000.</translation>
    </message>
    <message>
        <source>There are no kernels named {}; there are {}.</source>
        <translation>Não há kernels com o nome {}; os que existem são: {}.</translation>
    </message>
    <message>
        <source>There is not enough memory to load {}. Close other programs or choose a smaller model.</source>
        <translation>Não há memória suficiente para carregar {}. Feche outros programas ou escolha um modelo menor.</translation>
    </message>
    <message>
        <source>This model brings no chat template; a plain format is used, which may suit it less.</source>
        <translation>Este modelo não traz um modelo de conversa (chat template); usa-se um formato simples, que talvez lhe sirva menos.</translation>
    </message>
    <message>
        <source>min-p is {}; a number from 0 to 1 was expected.</source>
        <translation>min-p é {}; esperava-se um número de 0 a 1.</translation>
    </message>
    <message>
        <source>top-k is {}; 0 (all) or more was expected.</source>
        <translation>top-k é {}; esperava-se 0 (todos) ou mais.</translation>
    </message>
    <message>
        <source>top-p is {}; more than 0 and at most 1 was expected.</source>
        <translation>top-p é {}; esperava-se mais de 0 e no máximo 1.</translation>
    </message>
    <message>
        <source>{} could not be loaded.</source>
        <translation>Não foi possível carregar {}.</translation>
    </message>
    <message>
        <source>{} is not a model file: Constela opens files in the GGUF format, whose names end in .gguf. Choose or drop such a file.</source>
        <translation>{} não é um arquivo de modelo: o Constela abre arquivos no formato GGUF, cujos nomes terminam em .gguf. Escolha ou solte um arquivo assim.</translation>
    </message>
    <message>
        <source>{} needs {}: {} for its weights, {} for a context of {} tokens, {} to work with, and {} are to stay free for the rest of the machine; {} are free. Close other programs, choose a shorter context or a smaller quantization.</source>
        <translation>{} precisa de {}: {} para os pesos, {} para um contexto de {} tokens, {} para trabalhar, e {} devem ficar livres para o resto da máquina; há {} livres. Feche outros programas ou escolha um contexto menor ou uma quantização menor.</translation>
    </message>
    <message>
        <source>{} tokens do not fit into a context of {}; ask for a longer one.</source>
        <translation>{} tokens não cabem em um contexto de {}; peça um maior.</translation>
    </message>
    <message>
        <source>{}: a part of the file can no longer be read from its disk; zeros were read in its place. Load the model again.</source>
        <translation>{}: uma parte do arquivo não pode mais ser lida do disco; zeros foram lidos no lugar dela. Carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>{}: a width of {} cannot be cut into {} heads.</source>
        <translation>{}: uma largura de {} não pode ser dividida em {} cabeças de atenção.</translation>
    </message>
    <message>
        <source>{}: another file took this name after it was opened; load the model again.</source>
        <translation>{}: outro arquivo passou a usar este nome depois que ele foi aberto; carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>{}: another program is writing to this file; wait until it is done.</source>
        <translation>{}: outro programa está gravando neste arquivo; espere até que ele termine.</translation>
    </message>
    <message>
        <source>{}: general.alignment is {}; a power of two from {} to {} was expected.</source>
        <translation>{}: general.alignment é {}; esperava-se uma potência de dois de {} a {}.</translation>
    </message>
    <message>
        <source>{}: general.architecture is "{}"; "{}", as in {}, was expected.</source>
        <translation>{}: general.architecture é "{}"; esperava-se "{}", como em {}.</translation>
    </message>
    <message>
        <source>{}: metadata_kv_count is {}, but the {} bytes that are left hold at most {} keys.</source>
        <translation>{}: metadata_kv_count é {}, mas nos {} bytes restantes cabem no máximo {} chaves.</translation>
    </message>
    <message>
        <source>{}: metadata_kv_count is {}; at most {} was expected.</source>
        <translation>{}: metadata_kv_count é {}; esperava-se no máximo {}.</translation>
    </message>
    <message>
        <source>{}: models of the architecture {} are not supported; supported are {}.</source>
        <translation>{}: modelos da arquitetura {} não são suportados; são suportadas as arquiteturas {}.</translation>
    </message>
    <message>
        <source>{}: part {} of {} is missing; {} was expected in the same folder.</source>
        <translation>{}: falta a parte {} de {}; esperava-se {} na mesma pasta.</translation>
    </message>
    <message>
        <source>{}: split.count is {}, so this is one of several parts; a name that ends like {} was expected.</source>
        <translation>{}: split.count é {}, portanto esta é uma de várias partes; esperava-se um nome terminado como {}.</translation>
    </message>
    <message>
        <source>{}: split.count is {}; {}, as in the file's name, was expected.</source>
        <translation>{}: split.count é {}; esperava-se {}, como no nome do arquivo.</translation>
    </message>
    <message>
        <source>{}: split.no is {}; {} was expected in part {} of {}.</source>
        <translation>{}: split.no é {}; esperava-se {} na parte {} de {}.</translation>
    </message>
    <message>
        <source>{}: split.tensors.count is {}, but the {} parts hold {} tensors.</source>
        <translation>{}: split.tensors.count é {}, mas as {} partes contêm {} tensores.</translation>
    </message>
    <message>
        <source>{}: tensor {} begins at byte {}, inside tensor {}, which ends at byte {}.</source>
        <translation>{}: o tensor {} começa no byte {}, dentro do tensor {}, que termina no byte {}.</translation>
    </message>
    <message>
        <source>{}: tensor {} begins at byte {}; byte {}, right behind what stands before it, was expected.</source>
        <translation>{}: o tensor {} começa no byte {}; esperava-se o byte {}, logo depois do que vem antes dele.</translation>
    </message>
    <message>
        <source>{}: tensor {} has 0 elements in dimension {}; at least 1 was expected.</source>
        <translation>{}: o tensor {} tem 0 elementos na dimensão {}; esperava-se ao menos 1.</translation>
    </message>
    <message>
        <source>{}: tensor {} has rows of {} elements; {} needs a multiple of {}.</source>
        <translation>{}: o tensor {} tem linhas de {} elementos; {} exige um múltiplo de {}.</translation>
    </message>
    <message>
        <source>{}: tensor {} has the offset {}; a multiple of the alignment {} was expected.</source>
        <translation>{}: o tensor {} tem o deslocamento {}; esperava-se um múltiplo do alinhamento {}.</translation>
    </message>
    <message>
        <source>{}: tensor {} has type {} ({}), which this version cannot compute; supported are {}.</source>
        <translation>{}: o tensor {} é do tipo {} ({}), com o qual esta versão não sabe calcular; os aceitos são {}.</translation>
    </message>
    <message>
        <source>{}: tensor {} has type {}, which this version does not know; supported are {}.</source>
        <translation>{}: o tensor {} é do tipo {}, que esta versão não conhece; os aceitos são {}.</translation>
    </message>
    <message>
        <source>{}: tensor {} has {} bytes at {} behind byte {}, but the file ends at byte {}; it is cut short or damaged.</source>
        <translation>{}: o tensor {} tem {} bytes na posição {} depois do byte {}, mas o arquivo termina no byte {}; ele está incompleto ou danificado.</translation>
    </message>
    <message>
        <source>{}: tensor {} has {} dimensions; 1 to {} were expected.</source>
        <translation>{}: o tensor {} tem {} dimensões; esperava-se de 1 a {}.</translation>
    </message>
    <message>
        <source>{}: tensor {} has {} elements in dimension {}, so that its size overflows; at most {} elements in all were expected.</source>
        <translation>{}: o tensor {} tem {} elementos na dimensão {}, o que excede o tamanho possível; esperava-se no máximo {} elementos ao todo.</translation>
    </message>
    <message>
        <source>{}: tensor {} has {} elements of the type {}, so that its size overflows; at most {} bytes were expected.</source>
        <translation>{}: o tensor {} tem {} elementos do tipo {}, o que excede o tamanho possível; esperava-se no máximo {} bytes.</translation>
    </message>
    <message>
        <source>{}: tensor {} stands in {} too; each tensor was expected once.</source>
        <translation>{}: o tensor {} aparece também em {}; esperava-se cada tensor uma única vez.</translation>
    </message>
    <message>
        <source>{}: tensor {} stands there twice; each tensor was expected once.</source>
        <translation>{}: o tensor {} aparece duas vezes; esperava-se cada tensor uma única vez.</translation>
    </message>
    <message>
        <source>{}: tensor_count is {}, but the {} bytes that are left hold at most {} tensors.</source>
        <translation>{}: tensor_count é {}, mas nos {} bytes restantes cabem no máximo {} tensores.</translation>
    </message>
    <message>
        <source>{}: tensor_count is {}; at most {} was expected.</source>
        <translation>{}: tensor_count é {}; esperava-se no máximo {}.</translation>
    </message>
    <message>
        <source>{}: the file cannot be mapped into memory: {}.</source>
        <translation>{}: não foi possível mapear o arquivo na memória: {}.</translation>
    </message>
    <message>
        <source>{}: the file cannot be opened: {}.</source>
        <translation>{}: não foi possível abrir o arquivo: {}.</translation>
    </message>
    <message>
        <source>{}: the file had {} bytes when it was opened and has {} now; load the model again.</source>
        <translation>{}: o arquivo tinha {} bytes quando foi aberto e agora tem {}; carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>{}: the file has {} bytes, more than this system can map.</source>
        <translation>{}: o arquivo tem {} bytes, mais do que este sistema consegue mapear.</translation>
    </message>
    <message>
        <source>{}: the file is empty; a GGUF file was expected.</source>
        <translation>{}: o arquivo está vazio; esperava-se um arquivo GGUF.</translation>
    </message>
    <message>
        <source>{}: the file was written to after it was opened; load the model again.</source>
        <translation>{}: o arquivo foi modificado depois de aberto; carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>{}: the key {} is missing.</source>
        <translation>{}: falta a chave {}.</translation>
    </message>
    <message>
        <source>{}: the key {} stands there twice; each key was expected once.</source>
        <translation>{}: a chave {} aparece duas vezes; esperava-se cada chave uma única vez.</translation>
    </message>
    <message>
        <source>{}: the name speaks of part {} of {}; a part from 1 to the count, of at most {}, was expected.</source>
        <translation>{}: o nome indica a parte {} de {}; esperava-se uma parte de 1 até o total, de no máximo {}.</translation>
    </message>
    <message>
        <source>{}: the tensor {} has no place in this architecture as Constela knows it; a newer version may know it.</source>
        <translation>{}: o tensor {} não tem lugar nesta arquitetura como o Constela a conhece; uma versão mais nova talvez o conheça.</translation>
    </message>
    <message>
        <source>{}: the tensor {} is missing; the file is not a whole model.</source>
        <translation>{}: falta o tensor {}; o arquivo não contém um modelo inteiro.</translation>
    </message>
    <message>
        <source>{}: the tensor {} is {}; the metadata say that it should be {}.</source>
        <translation>{}: o tensor {} é {}; segundo os metadados, deveria ser {}.</translation>
    </message>
    <message>
        <source>{}: the vocabulary has {} tokens, but the embedding only {} rows.</source>
        <translation>{}: o vocabulário tem {} tokens, mas o embedding tem só {} linhas.</translation>
    </message>
    <message>
        <source>{}: there is no permission to read this file.</source>
        <translation>{}: não há permissão para ler este arquivo.</translation>
    </message>
    <message>
        <source>{}: there is no such file.</source>
        <translation>{}: este arquivo não existe.</translation>
    </message>
    <message>
        <source>{}: this is a big-endian GGUF file (version is {}); a little-endian one was expected.</source>
        <translation>{}: este é um arquivo GGUF big-endian (a versão é {}); esperava-se um little-endian.</translation>
    </message>
    <message>
        <source>{}: this is a device or pipe; a GGUF file was expected.</source>
        <translation>{}: isto é um dispositivo ou pipe; esperava-se um arquivo GGUF.</translation>
    </message>
    <message>
        <source>{}: this is a folder; a GGUF file was expected.</source>
        <translation>{}: isto é uma pasta; esperava-se um arquivo GGUF.</translation>
    </message>
    <message>
        <source>{}: this is not a GGUF file: it begins with "{}", where "{}" was expected.</source>
        <translation>{}: este não é um arquivo GGUF: ele começa com "{}", onde se esperava "{}".</translation>
    </message>
    <message>
        <source>{}: tokenizer.ggml.model is "{}", a tokenizer that is not known. Known are: gpt2, llama.</source>
        <translation>{}: tokenizer.ggml.model é "{}", um tokenizador desconhecido. São conhecidos: gpt2, llama.</translation>
    </message>
    <message>
        <source>{}: tokenizer.ggml.pre is "{}", a pre-tokenizer that is not known. Known are: {}.</source>
        <translation>{}: tokenizer.ggml.pre é "{}", um pré-tokenizador desconhecido. São conhecidos: {}.</translation>
    </message>
    <message>
        <source>{}: tokenizer.ggml.tokens[{}] is "{}", a byte by its type; a text like &lt;0x0A&gt; was expected.</source>
        <translation>{}: tokenizer.ggml.tokens[{}] é "{}", um byte pelo seu tipo; esperava-se um texto como &lt;0x0A&gt;.</translation>
    </message>
    <message>
        <source>{}: too many model files are open at once; close some of them.</source>
        <translation>{}: há arquivos de modelo demais abertos ao mesmo tempo; feche alguns.</translation>
    </message>
    <message>
        <source>{}: version is {}; 2 or 3 was expected. Convert the model again with a current tool.</source>
        <translation>{}: a versão é {}; esperava-se 2 ou 3. Converta o modelo de novo com uma ferramenta atual.</translation>
    </message>
    <message>
        <source>{}: {} bytes stand behind the end of the model at byte {}; nothing was expected there. Were two files joined?</source>
        <translation>{}: há {} bytes depois do fim do modelo, no byte {}; não se esperava nada ali. Dois arquivos foram juntados?</translation>
    </message>
    <message>
        <source>{}: {} experts are to be used for a token, but there are only {}.</source>
        <translation>{}: cada token deveria usar {} especialistas, mas só há {}.</translation>
    </message>
    <message>
        <source>{}: {} gives token {} the type {}; 0 to 6 were expected.</source>
        <translation>{}: {} dá ao token {} o tipo {}; esperava-se de 0 a 6.</translation>
    </message>
    <message>
        <source>{}: {} has "{}" twice, as {} and as {}; each token was expected once.</source>
        <translation>{}: {} contém "{}" duas vezes, como {} e como {}; esperava-se cada token uma única vez.</translation>
    </message>
    <message>
        <source>{}: {} has the value type {}; 0 to {} were expected.</source>
        <translation>{}: {} tem o tipo de valor {}; esperava-se de 0 a {}.</translation>
    </message>
    <message>
        <source>{}: {} has {} entries and {} has {}; one for each token was expected.</source>
        <translation>{}: {} tem {} entradas e {} tem {}; esperava-se uma para cada token.</translation>
    </message>
    <message>
        <source>{}: {} has {} entries, but the vocabulary has {} tokens; one for each was expected.</source>
        <translation>{}: {} tem {} entradas, mas o vocabulário tem {} tokens; esperava-se uma para cada um.</translation>
    </message>
    <message>
        <source>{}: {} has {} merges; {} at most were expected.</source>
        <translation>{}: {} tem {} fusões; esperava-se no máximo {}.</translation>
    </message>
    <message>
        <source>{}: {} has {} tokens; 1 to {} were expected.</source>
        <translation>{}: {} tem {} tokens; esperava-se de 1 a {}.</translation>
    </message>
    <message>
        <source>{}: {} is "{}"; a name in UTF-8 without control characters was expected.</source>
        <translation>{}: {} é "{}"; esperava-se um nome em UTF-8 sem caracteres de controle.</translation>
    </message>
    <message>
        <source>{}: {} is a bool of the value {}; 0 or 1 was expected.</source>
        <translation>{}: {} é um booleano de valor {}; esperava-se 0 ou 1.</translation>
    </message>
    <message>
        <source>{}: {} is a text of {} bytes; at most {} were expected.</source>
        <translation>{}: {} é um texto de {} bytes; esperava-se no máximo {}.</translation>
    </message>
    <message>
        <source>{}: {} is an array of arrays; an array of numbers, bools or strings was expected.</source>
        <translation>{}: {} é uma lista de listas; esperava-se uma lista de números, booleanos ou textos.</translation>
    </message>
    <message>
        <source>{}: {} is an array of {} values of the type {}, but only {} bytes are left in the file; the file is cut short or damaged.</source>
        <translation>{}: {} é uma lista de {} valores do tipo {}, mas restam só {} bytes no arquivo; ele está incompleto ou danificado.</translation>
    </message>
    <message>
        <source>{}: {} is an array of {} values; at most {} in all arrays together were expected.</source>
        <translation>{}: {} é uma lista de {} valores; esperava-se no máximo {} em todas as listas juntas.</translation>
    </message>
    <message>
        <source>{}: {} is missing; a mixture of experts was expected.</source>
        <translation>{}: falta {}; esperava-se uma mistura de especialistas.</translation>
    </message>
    <message>
        <source>{}: {} is true, but {} is missing.</source>
        <translation>{}: {} é verdadeiro, mas falta {}.</translation>
    </message>
    <message>
        <source>{}: {} is {}, but the vocabulary has only {} tokens.</source>
        <translation>{}: {} é {}, mas o vocabulário tem só {} tokens.</translation>
    </message>
    <message>
        <source>{}: {} is {}; a number from 1 to {} was expected.</source>
        <translation>{}: {} é {}; esperava-se um número de 1 a {}.</translation>
    </message>
    <message>
        <source>{}: {} is {}; a number from {} up was expected.</source>
        <translation>{}: {} é {}; esperava-se um número a partir de {}.</translation>
    </message>
    <message>
        <source>{}: {} is {}; a number was expected.</source>
        <translation>{}: {} é {}; esperava-se um número.</translation>
    </message>
    <message>
        <source>{}: {} is {}; a text was expected.</source>
        <translation>{}: {} é {}; esperava-se um texto.</translation>
    </message>
    <message>
        <source>{}: {} is {}; a whole number from {} to {} was expected.</source>
        <translation>{}: {} é {}; esperava-se um número inteiro de {} a {}.</translation>
    </message>
    <message>
        <source>{}: {} is {}; an array of numbers was expected.</source>
        <translation>{}: {} é {}; esperava-se uma lista de números.</translation>
    </message>
    <message>
        <source>{}: {} is {}; an array of texts was expected.</source>
        <translation>{}: {} é {}; esperava-se uma lista de textos.</translation>
    </message>
    <message>
        <source>{}: {} is {}; an array of true and false was expected.</source>
        <translation>{}: {} é {}; esperava-se uma lista de verdadeiro e falso.</translation>
    </message>
    <message>
        <source>{}: {} is {}; an array of whole numbers from {} to {} was expected.</source>
        <translation>{}: {} é {}; esperava-se uma lista de números inteiros de {} a {}.</translation>
    </message>
    <message>
        <source>{}: {} is {}; an even number up to the size of a head, {}, was expected.</source>
        <translation>{}: {} é {}; esperava-se um número par que não passe do tamanho de uma cabeça de atenção, {}.</translation>
    </message>
    <message>
        <source>{}: {} is {}; none, linear, yarn or longrope was expected. A newer version may know it.</source>
        <translation>{}: {} é {}; esperava-se none, linear, yarn ou longrope. Uma versão mais nova talvez o conheça.</translation>
    </message>
    <message>
        <source>{}: {} is {}; true or false was expected.</source>
        <translation>{}: {} é {}; esperava-se verdadeiro ou falso.</translation>
    </message>
    <message>
        <source>{}: {} needs {} bytes at byte {}, but only {} are left; the file is cut short or damaged.</source>
        <translation>{}: {} precisa de {} bytes a partir do byte {}, mas restam só {}; o arquivo está incompleto ou danificado.</translation>
    </message>
    <message>
        <source>{}: {} query heads cannot share {} key/value heads evenly.</source>
        <translation>{}: {} cabeças de consulta não podem dividir por igual {} cabeças de chave/valor.</translation>
    </message>
    <message>
        <source>{}: {}[{}] is "{}"; two symbols with a space between them were expected.</source>
        <translation>{}: {}[{}] é "{}"; esperavam-se dois símbolos separados por um espaço.</translation>
    </message>
    <message>
        <source>{}: {}[{}] is not a number; a score was expected.</source>
        <translation>{}: {}[{}] não é um número; esperava-se uma pontuação.</translation>
    </message>
    <message>
        <source>The system does not allow {} threads here ({}). Ask for fewer threads.</source>
        <translation>O sistema não permite {} threads aqui ({}). Peça menos threads.</translation>
    </message>
    <message>
        <source>There is not enough memory to prepare a message of this length. Shorten it.</source>
        <translation>Não há memória suficiente para preparar uma mensagem deste tamanho. Encurte-a.</translation>
    </message>
    <message>
        <source>The message could not be prepared for the model. Write it differently.</source>
        <translation>Não foi possível preparar a mensagem para o modelo. Escreva-a de outra forma.</translation>
    </message>
    <message>
        <source>The prompt has {} tokens, but this model was made for contexts of {} and the answer needs room too. Shorten the prompt, or choose a model that was made for longer ones.</source>
        <translation>O prompt tem {} tokens, mas este modelo foi feito para contextos de {} e a resposta também precisa de espaço. Encurte o prompt, ou escolha um modelo feito para contextos maiores.</translation>
    </message>
    <message>
        <source>The prompt has {} bytes, which is at least {} tokens, but the context holds only {} and the answer needs room too. Shorten the prompt, or load the model with a longer context.</source>
        <translation>O prompt tem {} bytes, ou seja, pelo menos {} tokens, mas o contexto comporta só {} e a resposta também precisa de espaço. Encurte o prompt, ou carregue o modelo com um contexto maior.</translation>
    </message>
</context>
</TS>
