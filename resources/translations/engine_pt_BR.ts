<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- The engine's sentences: the source is the pattern given to failure(), each {} an argument. Where the order of the
     arguments must change, write {0}, {1} and so on. Kept by hand, in alphabetical order; ui_translation_test tells
     which are missing. -->
<TS version="2.1" language="pt_BR" sourcelanguage="en">
<context>
    <name>engine</name>
    <message>
        <source>"{}" cannot be the name of a node: a name has 1 to {} bytes, no "/", nothing invisible, and no space at its ends. Choose another one.</source>
        <translation>"{}" não pode ser o nome de um nó: um nome tem de 1 a {} bytes, sem "/", sem caracteres invisíveis e sem espaços no início ou no fim. Escolha outro.</translation>
    </message>
    <message>
        <source>"{}" is no shard. Shards are embed, block.N, block.A-B and head.</source>
        <translation>"{}" não é um fragmento. Os fragmentos são embed, block.N, block.A-B e head.</translation>
    </message>
    <message>
        <source>"{}" of stage {} of the placement is {}; a text in quotes was expected.</source>
        <translation>"{}" do estágio {} da distribuição é {}; esperava-se um texto entre aspas.</translation>
    </message>
    <message>
        <source>A KV cache of type q8_0 needs heads of a multiple of 32 elements; those of {} have {}. Choose f16 or f32.</source>
        <translation>Um cache KV do tipo q8_0 precisa de cabeças de atenção cujo número de elementos seja múltiplo de 32; as de {} têm {}. Escolha f16 ou f32.</translation>
    </message>
    <message>
        <source>A message has a field "{}" that is not within what is allowed.</source>
        <translation>Uma mensagem tem um campo "{}" fora do que é permitido.</translation>
    </message>
    <message>
        <source>A message has more than one part.</source>
        <translation>Uma mensagem tem mais de uma parte.</translation>
    </message>
    <message>
        <source>A message has {} bytes; at most {} are allowed.</source>
        <translation>Uma mensagem tem {} bytes; o máximo permitido é {}.</translation>
    </message>
    <message>
        <source>A message of the data plane is damaged or of another version of Constela.</source>
        <translation>Uma mensagem do plano de dados está danificada ou é de outra versão do Constela.</translation>
    </message>
    <message>
        <source>A message of {} bytes is damaged, or of another program.</source>
        <translation>Uma mensagem de {} bytes está danificada ou é de outro programa.</translation>
    </message>
    <message>
        <source>A node cannot be paired with itself. Choose another machine's address.</source>
        <translation>Um nó não pode ser pareado consigo mesmo. Escolha o endereço de outra máquina.</translation>
    </message>
    <message>
        <source>A placement is {} and has nothing beside "stages".</source>
        <translation>Uma distribuição é {} e não tem nada além de "stages".</translation>
    </message>
    <message>
        <source>Another model is being loaded on this node.</source>
        <translation>Outro modelo está sendo carregado neste nó.</translation>
    </message>
    <message>
        <source>Another pairing is under way on this node. End it first.</source>
        <translation>Outro pareamento está em andamento neste nó. Encerre-o primeiro.</translation>
    </message>
    <message>
        <source>Another program or another node answers at port {} of {}.</source>
        <translation>Outro programa ou outro nó responde na porta {} de {}.</translation>
    </message>
    <message>
        <source>At the other node somebody ended the pairing. Nobody was let in.</source>
        <translation>No outro nó, alguém encerrou o pareamento. Ninguém foi admitido.</translation>
    </message>
    <message>
        <source>At the other node somebody said that the digits differ. Nobody was let in. If they did differ, somebody is in between: pair over another network.</source>
        <translation>No outro nó, alguém disse que os dígitos são diferentes. Ninguém foi admitido. Se eram mesmo diferentes, há alguém no meio: pareie por outra rede.</translation>
    </message>
    <message>
        <source>At {} there is another node than {}. If Constela was set up anew there, pair with it again; otherwise correct the address.</source>
        <translation>Em {} há outro nó, que não é {}. Se o Constela foi configurado do zero lá, pareie com ele de novo; caso contrário, corrija o endereço.</translation>
    </message>
    <message>
        <source>Chunk {} of a model has {} bytes; {} from byte {} were asked for.</source>
        <translation>O pedaço {} de um modelo tem {} bytes; foram pedidos {} a partir do byte {}.</translation>
    </message>
    <message>
        <source>Chunk {} of the model {} has {} bytes; {} from byte {} were asked for.</source>
        <translation>O pedaço {} do modelo {} tem {} bytes; foram pedidos {} a partir do byte {}.</translation>
    </message>
    <message>
        <source>Chunk {} of the model {} is not in the cache.</source>
        <translation>O pedaço {} do modelo {} não está no cache.</translation>
    </message>
    <message>
        <source>Constela was closed on {}.</source>
        <translation>O Constela foi fechado em {}.</translation>
    </message>
    <message>
        <source>Constela was closed on {}. Start it there again to use it.</source>
        <translation>O Constela foi fechado em {}. Inicie-o lá de novo para usá-lo.</translation>
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
        <source>Fetching the weights of the model {} was cancelled. What is here is kept.</source>
        <translation>O recebimento dos pesos do modelo {} foi cancelado. O que já está aqui é mantido.</translation>
    </message>
    <message>
        <source>Listening on port {} of {} failed: {}.</source>
        <translation>Não foi possível escutar na porta {} de {}: {}.</translation>
    </message>
    <message>
        <source>Loading was cancelled.</source>
        <translation>O carregamento foi cancelado.</translation>
    </message>
    <message>
        <source>Measuring the link to {} was stopped.</source>
        <translation>A medição da ligação com {} foi interrompida.</translation>
    </message>
    <message>
        <source>No device can be used for {} yet: of {} and the others no speed or no link has been measured. Measure them and try again.</source>
        <translation>Nenhum dispositivo pode ser usado para {} ainda: de {} e dos demais, nenhuma velocidade ou nenhuma ligação foi medida. Meça-as e tente de novo.</translation>
    </message>
    <message>
        <source>No model is loaded; choose one first.</source>
        <translation>Nenhum modelo está carregado; escolha um primeiro.</translation>
    </message>
    <message>
        <source>No model is loaded; load one first.</source>
        <translation>Nenhum modelo está carregado; carregue um primeiro.</translation>
    </message>
    <message>
        <source>No model of the name {} is in the model folders of this node.</source>
        <translation>Não há modelo com o nome {} nas pastas de modelos deste nó.</translation>
    </message>
    <message>
        <source>No node runs with the state folder {}. Start one, or name another folder.</source>
        <translation>Nenhum nó está em execução com a pasta de estado {}. Inicie um ou indique outra pasta.</translation>
    </message>
    <message>
        <source>No node runs with the state folder {}: there is no such folder.</source>
        <translation>Nenhum nó está em execução com a pasta de estado {}: essa pasta não existe.</translation>
    </message>
    <message>
        <source>No node with the id {} is paired with this one. Look at the list of nodes for its id.</source>
        <translation>Nenhum nó com o id {} está pareado com este. Procure o id dele na lista de nós.</translation>
    </message>
    <message>
        <source>No node {} is paired with this one.</source>
        <translation>Nenhum nó {} está pareado com este.</translation>
    </message>
    <message>
        <source>No stage of the placement has {}. Every shard needs a device.</source>
        <translation>Nenhum estágio da distribuição tem {}. Cada fragmento precisa de um dispositivo.</translation>
    </message>
    <message>
        <source>No stage of the placement has {}; stage {} ({}) begins with {}. Every shard has its place, in the order embed, block.0, block.1 ..., head.</source>
        <translation>Nenhum estágio da distribuição tem {}; o estágio {} ({}) começa com {}. Cada fragmento tem seu lugar, na ordem embed, block.0, block.1 ..., head.</translation>
    </message>
    <message>
        <source>No way leads from this machine ({}) to {} at {}. Check that both machines are on, and that they are in one subnet or have a route between them.</source>
        <translation>Não há caminho desta máquina ({}) até {} em {}. Verifique se as duas máquinas estão ligadas e se estão em uma mesma sub-rede ou têm uma rota entre elas.</translation>
    </message>
    <message>
        <source>Nobody answers at {} on port {}. Open pairing on that machine, look at the address, and let its firewall pass this port.</source>
        <translation>Ninguém responde em {} na porta {}. Abra o pareamento nessa máquina, confira o endereço e permita essa porta no firewall dela.</translation>
    </message>
    <message>
        <source>Nobody came to pair in time. Start pairing on both machines, then try again.</source>
        <translation>Ninguém veio parear a tempo. Inicie o pareamento nas duas máquinas e tente de novo.</translation>
    </message>
    <message>
        <source>None of the nodes that were asked has the weights of the model {}.</source>
        <translation>Nenhum dos nós consultados tem os pesos do modelo {}.</translation>
    </message>
    <message>
        <source>Nothing can be sent to UDP port {} by way of {}: this machine's firewall forbids it. Allow Constela to send to that port.</source>
        <translation>Nada pode ser enviado à porta UDP {} por meio de {}: o firewall desta máquina proíbe. Permita que o Constela envie para essa porta.</translation>
    </message>
    <message>
        <source>Nothing can be sent to UDP port {} by way of {}: {}.</source>
        <translation>Nada pode ser enviado à porta UDP {} por meio de {}: {}.</translation>
    </message>
    <message>
        <source>Other users of this machine may read the secret key in {}. If nobody did, close it with chmod 600; else delete the file, which makes a new identity, and pair again.</source>
        <translation>Outros usuários desta máquina podem ler a chave secreta em {}. Se ninguém a leu, feche-a com chmod 600; senão, apague o arquivo, o que cria uma nova identidade, e pareie de novo.</translation>
    </message>
    <message>
        <source>Other users of this machine may write in the state folder {}. Close it with chmod 700, or choose another one.</source>
        <translation>Outros usuários desta máquina podem escrever na pasta de estado {}. Feche-a com chmod 700 ou escolha outra.</translation>
    </message>
    <message>
        <source>PCRE2 cannot compile the expression {} ({}, at {}). A PCRE2 with Unicode support is needed.</source>
        <translation>O PCRE2 não consegue compilar a expressão {} ({}, na posição {}). É necessário um PCRE2 com suporte a Unicode.</translation>
    </message>
    <message>
        <source>Pairing is locked here for another {} s, since {} tries failed. Wait, then try again.</source>
        <translation>O pareamento está bloqueado aqui por mais {} s, pois {} tentativas falharam. Espere e tente de novo.</translation>
    </message>
    <message>
        <source>Pairing took longer than {} s and was ended. Nobody was let in. Try again.</source>
        <translation>O pareamento demorou mais de {} s e foi encerrado. Ninguém foi admitido. Tente de novo.</translation>
    </message>
    <message>
        <source>Pairing was ended here. Nobody was let in.</source>
        <translation>O pareamento foi encerrado aqui. Ninguém foi admitido.</translation>
    </message>
    <message>
        <source>Port {} of {} does not answer.</source>
        <translation>A porta {} de {} não responde.</translation>
    </message>
    <message>
        <source>Port {} of {} is in use by another program. End that program, or choose another port.</source>
        <translation>A porta {} de {} está em uso por outro programa. Encerre esse programa ou escolha outra porta.</translation>
    </message>
    <message>
        <source>Reading {} failed: {}.</source>
        <translation>Não foi possível ler {}: {}.</translation>
    </message>
    <message>
        <source>Something went wrong inside the device {}. Load the model again.</source>
        <translation>Ocorreu um erro interno no dispositivo {}. Carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>Something went wrong inside while it was answering; the model was put away. Load it again.</source>
        <translation>Ocorreu um erro interno durante a resposta; o modelo foi descarregado. Carregue-o novamente.</translation>
    </message>
    <message>
        <source>Stage {} of the placement ({}) begins with {}, but {} comes next. Every shard has one place, in the order embed, block.0, block.1 ..., head.</source>
        <translation>O estágio {} da distribuição ({}) começa com {}, mas o próximo é {}. Cada fragmento tem um único lugar, na ordem embed, block.0, block.1 ..., head.</translation>
    </message>
    <message>
        <source>Stage {} of the placement ({}) goes beyond the model's {} shards.</source>
        <translation>O estágio {} da distribuição ({}) vai além dos {} fragmentos do modelo.</translation>
    </message>
    <message>
        <source>Stage {} of the placement ({}) has no shards. Leave the stage out.</source>
        <translation>O estágio {} da distribuição ({}) não tem fragmentos. Retire esse estágio.</translation>
    </message>
    <message>
        <source>Stage {} of the placement ({}): {}</source>
        <translation>Estágio {} da distribuição ({}): {}</translation>
    </message>
    <message>
        <source>Stage {} of the placement has "{}", which means nothing; known are "device" and "shards".</source>
        <translation>O estágio {} da distribuição tem "{}", que não significa nada; são conhecidos "device" e "shards".</translation>
    </message>
    <message>
        <source>Stage {} of the placement has no "{}".</source>
        <translation>O estágio {} da distribuição não tem "{}".</translation>
    </message>
    <message>
        <source>Stage {} of the placement is {}; expected is {}.</source>
        <translation>O estágio {} da distribuição é {}; esperava-se {}.</translation>
    </message>
    <message>
        <source>Stage {} of the placement names the device {}, which is not there. There are: {}.</source>
        <translation>O estágio {} da distribuição indica o dispositivo {}, que não existe. Os que existem são: {}.</translation>
    </message>
    <message>
        <source>Stage {} of the placement names {} a second time; a device holds one run of neighbouring shards. Put its shards into one stage.</source>
        <translation>O estágio {} da distribuição indica {} pela segunda vez; um dispositivo mantém uma única sequência de fragmentos vizinhos. Ponha os fragmentos dele em um só estágio.</translation>
    </message>
    <message>
        <source>The KV cache is full: {} positions are not enough.</source>
        <translation>O cache KV está cheio: {} posições não bastam.</translation>
    </message>
    <message>
        <source>The answer has {} bytes; at most {} can be sent.</source>
        <translation>A resposta tem {} bytes; no máximo {} podem ser enviados.</translation>
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
        <source>The command has {} bytes; at most {} can be sent.</source>
        <translation>O comando tem {} bytes; no máximo {} podem ser enviados.</translation>
    </message>
    <message>
        <source>The command {} is damaged or of another version.</source>
        <translation>O comando {} está danificado ou é de outra versão.</translation>
    </message>
    <message>
        <source>The command {} is damaged.</source>
        <translation>O comando {} está danificado.</translation>
    </message>
    <message>
        <source>The connection that carries the model's activations broke.</source>
        <translation>A conexão que transporta as ativações do modelo caiu.</translation>
    </message>
    <message>
        <source>The connection that carries the model's activations could not be made. A firewall may block the port.</source>
        <translation>Não foi possível estabelecer a conexão que transporta as ativações do modelo. Um firewall pode estar bloqueando a porta.</translation>
    </message>
    <message>
        <source>The connection to the other node broke before both had confirmed. Nobody was let in here. Try again.</source>
        <translation>A conexão com o outro nó caiu antes que os dois confirmassem. Ninguém foi admitido aqui. Tente de novo.</translation>
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
        <source>The coordinator asked for a context that cannot be ({} positions). It may be of another version.</source>
        <translation>O coordenador pediu um contexto impossível ({} posições). Ele pode ser de outra versão.</translation>
    </message>
    <message>
        <source>The coordinator asked for a step that cannot be; it and this node do not agree on what was done before. Load the model again.</source>
        <translation>O coordenador pediu um passo impossível; ele e este nó não estão de acordo sobre o que foi feito antes. Carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>The coordinator asked for blocks that {} does not have.</source>
        <translation>O coordenador pediu blocos que {} não tem.</translation>
    </message>
    <message>
        <source>The coordinator's order is damaged.</source>
        <translation>A ordem do coordenador está danificada.</translation>
    </message>
    <message>
        <source>The cryptographic library libsodium cannot be used on this system.</source>
        <translation>A biblioteca criptográfica libsodium não pode ser usada neste sistema.</translation>
    </message>
    <message>
        <source>The device {} has run out of memory. Close other programs there, or place fewer blocks on it.</source>
        <translation>O dispositivo {} ficou sem memória. Feche outros programas nele ou atribua menos blocos a ele.</translation>
    </message>
    <message>
        <source>The device {} is to hold {}, but has {} free. Place fewer blocks on it, or choose a shorter context.</source>
        <translation>O dispositivo {} deve manter {}, mas tem {} livres. Atribua menos blocos a ele ou escolha um contexto menor.</translation>
    </message>
    <message>
        <source>The device {} still holds another model.</source>
        <translation>O dispositivo {} ainda mantém outro modelo.</translation>
    </message>
    <message>
        <source>The disk is full: {} could not be written. What it held before is unchanged. Make room, then try again.</source>
        <translation>O disco está cheio: não foi possível gravar {}. O que ele continha antes não foi alterado. Libere espaço e tente de novo.</translation>
    </message>
    <message>
        <source>The fetched model {} is in use; unload it first.</source>
        <translation>O modelo recebido {} está em uso; descarregue-o primeiro.</translation>
    </message>
    <message>
        <source>The file {} cannot be read as a chat database: {}. Move it away to start with an empty one.</source>
        <translation>O arquivo {} não pode ser lido como banco de conversas: {}. Mova-o para outro lugar para começar com um vazio.</translation>
    </message>
    <message>
        <source>The file {} is damaged: it holds "{}" instead of a version. Put back a copy of the folder, or choose another one.</source>
        <translation>O arquivo {} está danificado: contém "{}" em vez de uma versão. Restaure uma cópia da pasta ou escolha outra.</translation>
    </message>
    <message>
        <source>The folder {} cannot be opened: {}.</source>
        <translation>Não foi possível abrir a pasta {}: {}.</translation>
    </message>
    <message>
        <source>The kernels {} cannot run on this machine: {}. Choose none (leave --kernels out), and the best that can run here are taken.</source>
        <translation>Os kernels {} não podem rodar nesta máquina: {}. Não escolha nenhum (deixe --kernels de fora), e serão usados os melhores que funcionam aqui.</translation>
    </message>
    <message>
        <source>The key file {} is damaged: its {} bytes are not the {} of a key pair. Put back a copy of it, or delete it, which makes a new identity, and pair again.</source>
        <translation>O arquivo de chaves {} está danificado: seus {} bytes não são os {} de um par de chaves. Restaure uma cópia dele, ou apague-o, o que cria uma nova identidade, e pareie de novo.</translation>
    </message>
    <message>
        <source>The last stage answered something that was not asked. Load the model again.</source>
        <translation>O último estágio respondeu algo que não foi pedido. Carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>The link from {} to {} has become slower: {} MB/s over {}, after {} MB/s over {}. Look whether a cable or a network is gone.</source>
        <translation>A ligação de {} para {} ficou mais lenta: {} MB/s por {}, depois de {} MB/s por {}. Verifique se algum cabo ou rede deixou de funcionar.</translation>
    </message>
    <message>
        <source>The list of chunks of the model {} is not the one that belongs to its content.</source>
        <translation>A lista de pedaços do modelo {} não é a que corresponde ao conteúdo dele.</translation>
    </message>
    <message>
        <source>The list of paired nodes {} is damaged. Put back a copy of it, or delete it and pair again.</source>
        <translation>A lista de nós pareados {} está danificada. Restaure uma cópia dela, ou apague-a e pareie de novo.</translation>
    </message>
    <message>
        <source>The list of paired nodes {} was written by a newer Constela (its version is {}, this program knows up to {}). Install the newer Constela.</source>
        <translation>A lista de nós pareados {} foi gravada por um Constela mais novo (a versão dela é {}, este programa conhece até a {}). Instale o Constela mais novo.</translation>
    </message>
    <message>
        <source>The logit bias of the token {} is not a number.</source>
        <translation>O viés de logit do token {} não é um número.</translation>
    </message>
    <message>
        <source>The machine at {} is there, but no Constela listens on TCP port {}. Start Constela on {}, or correct the port.</source>
        <translation>A máquina em {} está lá, mas nenhum Constela escuta na porta TCP {}. Inicie o Constela em {} ou corrija a porta.</translation>
    </message>
    <message>
        <source>The machine has run out of memory while it was answering; the model was put away. Close other programs, or load it with a shorter context.</source>
        <translation>A máquina ficou sem memória enquanto respondia; o modelo foi descarregado. Feche outros programas ou carregue-o com um contexto menor.</translation>
    </message>
    <message>
        <source>The message could not be prepared for the model. Write it differently.</source>
        <translation>Não foi possível preparar a mensagem para o modelo. Escreva-a de outra forma.</translation>
    </message>
    <message>
        <source>The model could not be opened.</source>
        <translation>Não foi possível abrir o modelo.</translation>
    </message>
    <message>
        <source>The model is still being loaded; ask again when it is ready.</source>
        <translation>O modelo ainda está sendo carregado; pergunte novamente quando ele estiver pronto.</translation>
    </message>
    <message>
        <source>The model {} needs {} more in the folder for fetched models, whose limit is {}; models in use take {} of it. Raise the limit in the settings.</source>
        <translation>O modelo {} precisa de mais {} na pasta de modelos recebidos, cujo limite é {}; os modelos em uso ocupam {} dela. Aumente o limite nas configurações.</translation>
    </message>
    <message>
        <source>The model {} needs {} more on the disk of {}, where {} are free and {} are to stay free. Free some space, or choose another folder for fetched models.</source>
        <translation>O modelo {} precisa de mais {} no disco de {}, onde há {} livres e {} devem ficar livres. Libere espaço ou escolha outra pasta para os modelos recebidos.</translation>
    </message>
    <message>
        <source>The model's content is no longer being read, as was asked.</source>
        <translation>O conteúdo do modelo não está mais sendo lido, conforme solicitado.</translation>
    </message>
    <message>
        <source>The network interfaces of this machine could not be listed: {}. Other machines cannot be found until that works.</source>
        <translation>Não foi possível listar as interfaces de rede desta máquina: {}. Outras máquinas não podem ser encontradas até que isso funcione.</translation>
    </message>
    <message>
        <source>The node at {} does not let this one in. Pair the two again.</source>
        <translation>O nó em {} não admite este. Pareie os dois de novo.</translation>
    </message>
    <message>
        <source>The node with the state folder {} does not answer. It may be stopped; end it and start it again.</source>
        <translation>O nó com a pasta de estado {} não responde. Ele pode estar parado; encerre-o e inicie-o de novo.</translation>
    </message>
    <message>
        <source>The node with the state folder {} has ended.</source>
        <translation>O nó com a pasta de estado {} foi encerrado.</translation>
    </message>
    <message>
        <source>The node with the state folder {} takes no more commands at the moment.</source>
        <translation>O nó com a pasta de estado {} não aceita mais comandos no momento.</translation>
    </message>
    <message>
        <source>The node {} does not answer at present.</source>
        <translation>O nó {} não responde no momento.</translation>
    </message>
    <message>
        <source>The node {} is to take part, but this node is not connected with it. Pair the two, then load the model again.</source>
        <translation>O nó {} deve participar, mas este nó não está conectado a ele. Pareie os dois e carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>The other node does not answer. Nobody was let in. Look whether pairing is still open there, then try again.</source>
        <translation>O outro nó não responde. Ninguém foi admitido. Verifique se o pareamento ainda está aberto lá e tente de novo.</translation>
    </message>
    <message>
        <source>The other node has locked pairing, since {} tries failed. Wait a minute, then try again.</source>
        <translation>O outro nó bloqueou o pareamento, pois {} tentativas falharam. Espere um minuto e tente de novo.</translation>
    </message>
    <message>
        <source>The other node has waited for too long. Nobody was let in. Try again.</source>
        <translation>O outro nó esperou tempo demais. Ninguém foi admitido. Tente de novo.</translation>
    </message>
    <message>
        <source>The other node is pairing with somebody else right now. Try again when that is over.</source>
        <translation>O outro nó está pareando com outra pessoa agora. Tente de novo quando isso terminar.</translation>
    </message>
    <message>
        <source>The other node says that what came from here does not fit together. A fault, or somebody in between: nobody was let in. Try again, and if it happens again, over another network.</source>
        <translation>O outro nó diz que o que veio daqui não é coerente. Uma falha, ou alguém no meio: ninguém foi admitido. Tente de novo e, se acontecer outra vez, por outra rede.</translation>
    </message>
    <message>
        <source>The path of the folder {} has {} bytes; for the socket in it at most {} are possible. Choose a folder with a shorter path.</source>
        <translation>O caminho da pasta {} tem {} bytes; para o soquete dentro dela, são possíveis no máximo {}. Escolha uma pasta com um caminho mais curto.</translation>
    </message>
    <message>
        <source>The penalties are to look at {} tokens; -1 (all) or more was expected.</source>
        <translation>As penalidades devem considerar {} tokens; esperava-se -1 (todos) ou mais.</translation>
    </message>
    <message>
        <source>The placement has "{}" twice in one object. Leave one of them.</source>
        <translation>A distribuição tem "{}" duas vezes em um mesmo objeto. Deixe apenas um.</translation>
    </message>
    <message>
        <source>The placement has no stages; each of the model's {} shards needs a device.</source>
        <translation>A distribuição não tem estágios; cada um dos {} fragmentos do modelo precisa de um dispositivo.</translation>
    </message>
    <message>
        <source>The placement has {} bytes, more than the {} that any placement needs. Is it another file?</source>
        <translation>A distribuição tem {} bytes, mais que os {} de que qualquer distribuição precisa. Será outro arquivo?</translation>
    </message>
    <message>
        <source>The placement is not JSON: line {}, column {} cannot be read. Expected is {}.</source>
        <translation>A distribuição não é JSON: a linha {}, coluna {}, não pode ser lida. Esperava-se {}.</translation>
    </message>
    <message>
        <source>The placement of {} has more parts than any model.</source>
        <translation>A distribuição de {} tem mais partes que qualquer modelo.</translation>
    </message>
    <message>
        <source>The placement of {} leaves a gap or repeats a part at shard {}. Each part must have exactly one device, in the order of the model.</source>
        <translation>A distribuição de {} deixa uma lacuna ou repete uma parte no fragmento {}. Cada parte deve ter exatamente um dispositivo, na ordem do modelo.</translation>
    </message>
    <message>
        <source>The presence penalty is {} and the frequency penalty {}; numbers from -100 to 100 were expected (0: none).</source>
        <translation>A penalidade de presença é {} e a de frequência {}; esperavam-se números de -100 a 100 (0: nenhuma).</translation>
    </message>
    <message>
        <source>The prompt has {} bytes, which is at least {} tokens, but the context holds only {} and the answer needs room too. Shorten the prompt, or load the model with a longer context.</source>
        <translation>O prompt tem {} bytes, ou seja, pelo menos {} tokens, mas o contexto comporta só {} e a resposta também precisa de espaço. Encurte o prompt, ou carregue o modelo com um contexto maior.</translation>
    </message>
    <message>
        <source>The prompt has {} tokens, but the context holds only {} and the answer needs room too. Shorten the prompt, or load the model with a longer context.</source>
        <translation>O prompt tem {} tokens, mas no contexto só cabem {}, e a resposta também precisa de espaço. Encurte o prompt ou carregue o modelo com um contexto maior.</translation>
    </message>
    <message>
        <source>The prompt has {} tokens, but this model was made for contexts of {} and the answer needs room too. Shorten the prompt, or choose a model that was made for longer ones.</source>
        <translation>O prompt tem {} tokens, mas este modelo foi feito para contextos de {} e a resposta também precisa de espaço. Encurte o prompt, ou escolha um modelo feito para contextos maiores.</translation>
    </message>
    <message>
        <source>The prompt is empty; there is nothing to answer.</source>
        <translation>O prompt está vazio; não há nada a responder.</translation>
    </message>
    <message>
        <source>The question that another program sent is damaged or of another version.</source>
        <translation>A pergunta que outro programa enviou está danificada ou é de outra versão.</translation>
    </message>
    <message>
        <source>The repetition penalty is {}; a number from 0.01 to 100 was expected (1: none).</source>
        <translation>A penalidade de repetição é {}; esperava-se um número de 0.01 a 100 (1: nenhuma).</translation>
    </message>
    <message>
        <source>The report on a link has no right "{}".</source>
        <translation>O relatório sobre uma ligação não tem um "{}" correto.</translation>
    </message>
    <message>
        <source>The report on a link is no JSON object.</source>
        <translation>O relatório sobre uma ligação não é um objeto JSON.</translation>
    </message>
    <message>
        <source>The socket {} in the folder {} cannot be used: {}.</source>
        <translation>O soquete {} na pasta {} não pode ser usado: {}.</translation>
    </message>
    <message>
        <source>The state folder cannot be locked: {} gives "{}". Choose a folder on a local disk in which you may write.</source>
        <translation>Não foi possível bloquear a pasta de estado: {} retorna "{}". Escolha uma pasta em um disco local na qual você possa escrever.</translation>
    </message>
    <message>
        <source>The state folder {0} was copied from another machine, and two machines with one identity would be taken for each other. For an identity of its own, delete its files "machine", "identity" and "peers.json", and pair again. If this is the same machine with a system installed anew, delete only "machine".</source>
        <translation>A pasta de estado {0} foi copiada de outra máquina, e duas máquinas com a mesma identidade seriam confundidas uma com a outra. Para que esta tenha identidade própria, apague os arquivos "machine", "identity" e "peers.json" da pasta e pareie de novo. Se esta é a mesma máquina com o sistema reinstalado, apague apenas "machine".</translation>
    </message>
    <message>
        <source>The state folder {} cannot be looked at: {}.</source>
        <translation>Não foi possível examinar a pasta de estado {}: {}.</translation>
    </message>
    <message>
        <source>The state folder {} could not be made: {}.</source>
        <translation>Não foi possível criar a pasta de estado {}: {}.</translation>
    </message>
    <message>
        <source>The state folder {} does not say which version it has: its file "version" is missing. Put it back (Constela's first version is 1), or choose another folder.</source>
        <translation>A pasta de estado {} não diz que versão tem: falta o arquivo "version". Restaure-o (a primeira versão do Constela é 1) ou escolha outra pasta.</translation>
    </message>
    <message>
        <source>The state folder {} is in use by another Constela on this machine. End that one, or give this one a folder of its own.</source>
        <translation>A pasta de estado {} está em uso por outro Constela nesta máquina. Encerre-o ou dê a este uma pasta própria.</translation>
    </message>
    <message>
        <source>The state folder {} is not a folder. Choose another one.</source>
        <translation>A pasta de estado {} não é uma pasta. Escolha outra.</translation>
    </message>
    <message>
        <source>The state folder {} was written by a newer Constela (its version is {}, this program knows up to {}). Install the newer Constela, or choose another folder.</source>
        <translation>A pasta de estado {} foi gravada por um Constela mais novo (a versão dela é {}, este programa conhece até a {}). Instale o Constela mais novo ou escolha outra pasta.</translation>
    </message>
    <message>
        <source>The system does not allow {} threads here ({}). Ask for fewer threads.</source>
        <translation>O sistema não permite {} threads aqui ({}). Peça menos threads.</translation>
    </message>
    <message>
        <source>The system does not let this program listen on port {} of {}. Choose a port above 1023.</source>
        <translation>O sistema não permite que este programa escute na porta {} de {}. Escolha uma porta acima de 1023.</translation>
    </message>
    <message>
        <source>The temperature is {}; a number from 0 to 1000 was expected.</source>
        <translation>A temperatura é {}; esperava-se um número de 0 a 1000.</translation>
    </message>
    <message>
        <source>The two nodes do not understand each other: this one pairs in version {}, the other one in version {}. Install the same Constela on both.</source>
        <translation>Os dois nós não se entendem: este pareia na versão {}, o outro na versão {}. Instale o mesmo Constela nos dois.</translation>
    </message>
    <message>
        <source>The weights of the model {} cannot be fetched: {} did not answer for {} s. See that they run and can be reached, then load the model again.</source>
        <translation>Não foi possível receber os pesos do modelo {}: {} não respondeu por {} s. Verifique se está em execução e acessível e carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>The weights of the model {} stopped coming: {} of {} are missing, and nothing came from {} for {} s. What is here is kept. See that they run and have the model, then load it again.</source>
        <translation>Os pesos do modelo {} pararam de chegar: faltam {} de {}, e nada veio de {} por {} s. O que já está aqui é mantido. Verifique se está em execução e tem o modelo, e carregue-o de novo.</translation>
    </message>
    <message>
        <source>There are no kernels named {}; there are {}.</source>
        <translation>Não há kernels com o nome {}; os que existem são: {}.</translation>
    </message>
    <message>
        <source>There is no device to place {} on.</source>
        <translation>Não há dispositivo em que colocar {}.</translation>
    </message>
    <message>
        <source>There is no place for this node's state, since {} is not set. Name a folder for it.</source>
        <translation>Não há lugar para o estado deste nó, pois {} não está definido. Indique uma pasta para ele.</translation>
    </message>
    <message>
        <source>There is not enough memory to load {}. Close other programs or choose a smaller model.</source>
        <translation>Não há memória suficiente para carregar {}. Feche outros programas ou escolha um modelo menor.</translation>
    </message>
    <message>
        <source>There is not enough memory to prepare a message of this length. Shorten it.</source>
        <translation>Não há memória suficiente para preparar uma mensagem deste tamanho. Encurte-a.</translation>
    </message>
    <message>
        <source>This machine has no network address {}. Choose one that it has.</source>
        <translation>Esta máquina não tem o endereço de rede {}. Escolha um que ela tenha.</translation>
    </message>
    <message>
        <source>This machine has no network at the moment: no interface is up and has an address. Other machines cannot be found until one is.</source>
        <translation>Esta máquina está sem rede no momento: nenhuma interface está ativa e com endereço. Outras máquinas não podem ser encontradas até que haja uma.</translation>
    </message>
    <message>
        <source>This machine's own firewall forbids connecting to {} at {}. Allow Constela outgoing connections to TCP port {}.</source>
        <translation>O firewall desta própria máquina proíbe a conexão com {} em {}. Permita ao Constela conexões de saída para a porta TCP {}.</translation>
    </message>
    <message>
        <source>This model brings no chat template; a plain format is used, which may suit it less.</source>
        <translation>Este modelo não traz um modelo de conversa (chat template); usa-se um formato simples, que talvez lhe sirva menos.</translation>
    </message>
    <message>
        <source>This node does not have {}, and no node that it is connected with could send it.</source>
        <translation>Este nó não tem {}, e nenhum nó conectado a ele pôde enviá-lo.</translation>
    </message>
    <message>
        <source>This node does not know the command {}; it may be of an older version.</source>
        <translation>Este nó não conhece o comando {}; ele pode ser de uma versão mais antiga.</translation>
    </message>
    <message>
        <source>This node is paired with {} others, which is the most. Remove one that is no longer needed.</source>
        <translation>Este nó está pareado com {} outros, que é o máximo. Remova um que não seja mais necessário.</translation>
    </message>
    <message>
        <source>This system does not permit opening UDP port {}, so nodes cannot find each other. Allow it, or choose a port above 1023 with --discovery-port on all nodes.</source>
        <translation>Este sistema não permite abrir a porta UDP {}, por isso os nós não conseguem se encontrar. Permita-a ou escolha uma porta acima de 1023 com --discovery-port em todos os nós.</translation>
    </message>
    <message>
        <source>UDP port {} could not be opened to find other nodes: {}.</source>
        <translation>Não foi possível abrir a porta UDP {} para encontrar outros nós: {}.</translation>
    </message>
    <message>
        <source>UDP port {} is taken by another program that does not share it, so nodes cannot find each other through it. End that program, or choose another port with --discovery-port on all nodes.</source>
        <translation>A porta UDP {} está ocupada por outro programa que não a compartilha, por isso os nós não conseguem se encontrar por ela. Encerre esse programa ou escolha outra porta com --discovery-port em todos os nós.</translation>
    </message>
    <message>
        <source>What answers there is no Constela that pairs. Look at the address and the port.</source>
        <translation>O que responde lá não é um Constela que esteja pareando. Confira o endereço e a porta.</translation>
    </message>
    <message>
        <source>What the other node sent does not fit what it sent before. A fault, or somebody in between: nobody was let in. Try again, and if it happens again, over another network.</source>
        <translation>O que o outro nó enviou não combina com o que enviou antes. Uma falha, ou alguém no meio: ninguém foi admitido. Tente de novo e, se acontecer outra vez, por outra rede.</translation>
    </message>
    <message>
        <source>Writing {} failed: {}. What it held before is unchanged.</source>
        <translation>Não foi possível gravar {}: {}. O que ele continha antes não foi alterado.</translation>
    </message>
    <message>
        <source>You said that the digits differ, so nobody was let in. If both of you looked at the same try, somebody is in between: pair over another network.</source>
        <translation>Você disse que os dígitos são diferentes, por isso ninguém foi admitido. Se vocês dois olhavam para a mesma tentativa, há alguém no meio: pareie por outra rede.</translation>
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
        <source>{} accepts connections at {} but closes them at once: another program listens there, or something between the machines cuts them off. Check the port, and look at {}'s log.</source>
        <translation>{} aceita conexões em {}, mas as fecha imediatamente: outro programa escuta lá, ou algo entre as máquinas as interrompe. Verifique a porta e veja o log de {}.</translation>
    </message>
    <message>
        <source>{} accepts connections at {} but says nothing: it is overloaded or stopped, or another program listens there. Check Constela on {}, and the port.</source>
        <translation>{} aceita conexões em {}, mas não diz nada: está sobrecarregado ou parado, ou outro programa escuta lá. Verifique o Constela em {} e a porta.</translation>
    </message>
    <message>
        <source>{} already works at a newer placement of {}.</source>
        <translation>{} já trabalha em uma distribuição mais nova de {}.</translation>
    </message>
    <message>
        <source>{} can only be done at the machine itself.</source>
        <translation>{} só pode ser feito na própria máquina.</translation>
    </message>
    <message>
        <source>{} cannot be loaded over {} stages; 1 to {} are possible.</source>
        <translation>{} não pode ser carregado em {} estágios; são possíveis de 1 a {}.</translation>
    </message>
    <message>
        <source>{} cannot be reached: this machine has no network at the moment. Check its cable or its Wi-Fi.</source>
        <translation>{} está inacessível: esta máquina está sem rede no momento. Verifique o cabo ou o Wi-Fi dela.</translation>
    </message>
    <message>
        <source>{} cannot follow {}: the shards of a stage are neighbours in the order embed, block.0, block.1 ..., head, each once.</source>
        <translation>{} não pode vir depois de {}: os fragmentos de um estágio são vizinhos na ordem embed, block.0, block.1 ..., head, cada um uma única vez.</translation>
    </message>
    <message>
        <source>{} cannot run its part of {}. {}</source>
        <translation>{} não consegue executar sua parte de {}. {}</translation>
    </message>
    <message>
        <source>{} could not be loaded.</source>
        <translation>Não foi possível carregar {}.</translation>
    </message>
    <message>
        <source>{} did not answer at {}, port {}, for {} s, so the link to it was not measured. See that it runs, that both nodes are paired and that no firewall holds this port back.</source>
        <translation>{} não respondeu em {}, porta {}, por {} s, por isso a ligação com ele não foi medida. Verifique se está em execução, se os dois nós estão pareados e se nenhum firewall bloqueia essa porta.</translation>
    </message>
    <message>
        <source>{} did not report on its link to {}. It will be tried again.</source>
        <translation>{} não informou a medição de sua ligação com {}. Será feita uma nova tentativa.</translation>
    </message>
    <message>
        <source>{} does not answer at {}, which is in none of this machine's subnets ({}). Check that the address is right and that a route leads there, and that its firewall allows TCP port {}.</source>
        <translation>{} não responde em {}, que não está em nenhuma das sub-redes desta máquina ({}). Verifique se o endereço está correto, se há uma rota até lá e se o firewall dele permite a porta TCP {}.</translation>
    </message>
    <message>
        <source>{} does not answer at {}: that machine is off, its address has changed, or its firewall blocks the port. Start it, and allow incoming connections to TCP port {} and UDP port {} for Constela there.</source>
        <translation>{} não responde em {}: essa máquina está desligada, seu endereço mudou ou seu firewall bloqueia a porta. Ligue-a e permita nela, para o Constela, conexões de entrada na porta TCP {} e na porta UDP {}.</translation>
    </message>
    <message>
        <source>{} does not fit {}: it needs {} for its weights, {} for a context of {} tokens and {} to work with; {} are free, of which {} are to stay free. Move a part to another device, or choose a shorter context.</source>
        <translation>{} não cabe em {}: precisa de {} para os pesos, {} para um contexto de {} tokens e {} para trabalhar; há {} livres, dos quais {} devem ficar livres. Mova uma parte para outro dispositivo ou escolha um contexto menor.</translation>
    </message>
    <message>
        <source>{} does not let this node in; pair the two again.</source>
        <translation>{} não admite este nó; pareie os dois de novo.</translation>
    </message>
    <message>
        <source>{} fits the devices together, but not those of them between which links have been measured. See that all nodes reach each other, and measure the links again.</source>
        <translation>{} cabe nos dispositivos em conjunto, mas não apenas naqueles entre os quais as ligações foram medidas. Verifique se todos os nós se alcançam e meça as ligações de novo.</translation>
    </message>
    <message>
        <source>{} gave back its part of {}, since it had heard nothing from {} for 3 seconds. Load the model again.</source>
        <translation>{} devolveu sua parte de {}, pois não tinha notícias de {} havia 3 segundos. Carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>{} gave back its part of {}, since its connection to {} broke. Load the model again.</source>
        <translation>{} devolveu sua parte de {}, pois sua conexão com {} caiu. Carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>{} has given back its part of {}. Load the model again.</source>
        <translation>{} devolveu sua parte de {}. Carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>{} has left the cluster while it held a part of {}. Load it again on the remaining devices, or start {} again.</source>
        <translation>{} saiu do cluster enquanto mantinha uma parte de {}. Carregue-o de novo nos dispositivos restantes ou inicie {} de novo.</translation>
    </message>
    <message>
        <source>{} has left the cluster while it held block {} and the head of {}. Load it again on the remaining devices, or start {} again.</source>
        <translation>{} saiu do cluster enquanto mantinha o bloco {} e a cabeça de saída de {}. Carregue-o de novo nos dispositivos restantes ou inicie {} de novo.</translation>
    </message>
    <message>
        <source>{} has left the cluster while it held block {} of {}. Load it again on the remaining devices, or start {} again.</source>
        <translation>{} saiu do cluster enquanto mantinha o bloco {} de {}. Carregue-o de novo nos dispositivos restantes ou inicie {} de novo.</translation>
    </message>
    <message>
        <source>{} has left the cluster while it held blocks {} to {} and the head of {}. Load it again on the remaining devices, or start {} again.</source>
        <translation>{} saiu do cluster enquanto mantinha os blocos {} a {} e a cabeça de saída de {}. Carregue-o de novo nos dispositivos restantes ou inicie {} de novo.</translation>
    </message>
    <message>
        <source>{} has left the cluster while it held blocks {} to {} of {}. Load it again on the remaining devices, or start {} again.</source>
        <translation>{} saiu do cluster enquanto mantinha os blocos {} a {} de {}. Carregue-o de novo nos dispositivos restantes ou inicie {} de novo.</translation>
    </message>
    <message>
        <source>{} has left the cluster while it held the embedding and block {} of {}. Load it again on the remaining devices, or start {} again.</source>
        <translation>{} saiu do cluster enquanto mantinha o embedding e o bloco {} de {}. Carregue-o de novo nos dispositivos restantes ou inicie {} de novo.</translation>
    </message>
    <message>
        <source>{} has left the cluster while it held the embedding and blocks {} to {} of {}. Load it again on the remaining devices, or start {} again.</source>
        <translation>{} saiu do cluster enquanto mantinha o embedding e os blocos {} a {} de {}. Carregue-o de novo nos dispositivos restantes ou inicie {} de novo.</translation>
    </message>
    <message>
        <source>{} has left the cluster while it held the embedding of {}. Load it again on the remaining devices, or start {} again.</source>
        <translation>{} saiu do cluster enquanto mantinha o embedding de {}. Carregue-o de novo nos dispositivos restantes ou inicie {} de novo.</translation>
    </message>
    <message>
        <source>{} has left the cluster while it held the embedding, block {} and the head of {}. Load it again on the remaining devices, or start {} again.</source>
        <translation>{} saiu do cluster enquanto mantinha o embedding, o bloco {} e a cabeça de saída de {}. Carregue-o de novo nos dispositivos restantes ou inicie {} de novo.</translation>
    </message>
    <message>
        <source>{} has left the cluster while it held the embedding, blocks {} to {} and the head of {}. Load it again on the remaining devices, or start {} again.</source>
        <translation>{} saiu do cluster enquanto mantinha o embedding, os blocos {} a {} e a cabeça de saída de {}. Carregue-o de novo nos dispositivos restantes ou inicie {} de novo.</translation>
    </message>
    <message>
        <source>{} has left the cluster while it held the head of {}. Load it again on the remaining devices, or start {} again.</source>
        <translation>{} saiu do cluster enquanto mantinha a cabeça de saída de {}. Carregue-o de novo nos dispositivos restantes ou inicie {} de novo.</translation>
    </message>
    <message>
        <source>{} has no device {}.</source>
        <translation>{} não tem o dispositivo {}.</translation>
    </message>
    <message>
        <source>{} is larger than the {} bytes that it may have. It is damaged or not one of Constela's files; move it away, then try again.</source>
        <translation>{} é maior que os {} bytes que pode ter. Está danificado ou não é um dos arquivos do Constela; mova-o para outro lugar e tente de novo.</translation>
    </message>
    <message>
        <source>{} is left out: a node can have no more than {} peers. Revoke some that are no longer used.</source>
        <translation>{} fica de fora: um nó não pode ter mais de {} pares. Revogue alguns que não sejam mais usados.</translation>
    </message>
    <message>
        <source>{} is no address: after the colon a port from 1 to 65535 was expected.</source>
        <translation>{} não é um endereço: depois dos dois-pontos, esperava-se uma porta de 1 a 65535.</translation>
    </message>
    <message>
        <source>{} is no longer trusted. Pair it again to use it.</source>
        <translation>{} não é mais de confiança. Pareie-o de novo para usá-lo.</translation>
    </message>
    <message>
        <source>{} is no numeric address. Give one like 192.168.1.7, as the other machine shows it.</source>
        <translation>{} não é um endereço numérico. Informe um como 192.168.1.7, tal como a outra máquina o mostra.</translation>
    </message>
    <message>
        <source>{} is not a file. Move it away, then try again.</source>
        <translation>{} não é um arquivo. Mova-o para outro lugar e tente de novo.</translation>
    </message>
    <message>
        <source>{} is not a folder for a node's state. Choose another one.</source>
        <translation>{} não é uma pasta para o estado de um nó. Escolha outra.</translation>
    </message>
    <message>
        <source>{} is not a model file: Constela opens files in the GGUF format, whose names end in .gguf. Choose or drop such a file.</source>
        <translation>{} não é um arquivo de modelo: o Constela abre arquivos no formato GGUF, cujos nomes terminam em .gguf. Escolha ou solte um arquivo assim.</translation>
    </message>
    <message>
        <source>{} is not connected at the moment. Start it, or choose other devices.</source>
        <translation>{} não está conectado no momento. Inicie-o ou escolha outros dispositivos.</translation>
    </message>
    <message>
        <source>{} is not paired with this node. Pair it first, or choose other devices.</source>
        <translation>{} não está pareado com este nó. Pareie-o primeiro ou escolha outros dispositivos.</translation>
    </message>
    <message>
        <source>{} is visible but cannot be connected to: its address {} is in none of this machine's subnets ({}). Give both machines addresses of one subnet, or set up a route between them.</source>
        <translation>{} está visível, mas não é possível se conectar a ele: seu endereço {} não está em nenhuma das sub-redes desta máquina ({}). Dê às duas máquinas endereços de uma mesma sub-rede ou configure uma rota entre elas.</translation>
    </message>
    <message>
        <source>{} is visible but does not answer at {}: most likely its firewall blocks the port. Allow incoming connections to TCP port {} for Constela on that machine.</source>
        <translation>{} está visível, mas não responde em {}: muito provavelmente seu firewall bloqueia a porta. Permita conexões de entrada na porta TCP {} para o Constela nessa máquina.</translation>
    </message>
    <message>
        <source>{} is visible but refuses connections at {}: its firewall rejects them, or it is just starting or ending. Allow incoming connections to TCP port {} for Constela on that machine.</source>
        <translation>{} está visível, mas recusa conexões em {}: seu firewall as rejeita, ou ele está iniciando ou encerrando. Permita conexões de entrada na porta TCP {} para o Constela nessa máquina.</translation>
    </message>
    <message>
        <source>{} is visible but speaks version {} of the protocol, and this machine version {}. Update Constela on this machine.</source>
        <translation>{} está visível, mas fala a versão {} do protocolo, e esta máquina, a versão {}. Atualize o Constela nesta máquina.</translation>
    </message>
    <message>
        <source>{} is visible but speaks version {} of the protocol, and this machine version {}. Update Constela on {}.</source>
        <translation>{} está visível, mas fala a versão {} do protocolo, e esta máquina, a versão {}. Atualize o Constela em {}.</translation>
    </message>
    <message>
        <source>{} may mean several models: {}. Give the path of the one that is meant.</source>
        <translation>{} pode indicar vários modelos: {}. Informe o caminho do modelo desejado.</translation>
    </message>
    <message>
        <source>{} needs {} with a context of {} tokens; free are {}. Add a machine, choose a shorter context or a smaller quantization.</source>
        <translation>{} precisa de {} com um contexto de {} tokens; há {} livres. Adicione uma máquina ou escolha um contexto menor ou uma quantização menor.</translation>
    </message>
    <message>
        <source>{} needs {}: {} for its weights, {} for a context of {} tokens, {} to work with, and {} are to stay free for the rest of the machine; {} are free. Close other programs, choose a shorter context or a smaller quantization.</source>
        <translation>{} precisa de {}: {} para os pesos, {} para um contexto de {} tokens, {} para trabalhar, e {} devem ficar livres para o resto da máquina; há {} livres. Feche outros programas ou escolha um contexto menor ou uma quantização menor.</translation>
    </message>
    <message>
        <source>{} no longer trusts this machine: it was unpaired there, or Constela was set up anew on either side. Pair the two again.</source>
        <translation>{} não confia mais nesta máquina: o pareamento foi desfeito lá, ou o Constela foi configurado do zero em um dos lados. Pareie os dois de novo.</translation>
    </message>
    <message>
        <source>{} on {} has not given back what it held before within {} seconds. Restart Constela on {}, then load the model again.</source>
        <translation>{} em {} não devolveu o que mantinha antes em até {} segundos. Reinicie o Constela em {} e carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>{} on {} is in use for {}, which {} loaded. Unload it there, or choose other devices.</source>
        <translation>{} em {} está em uso para {}, que {} carregou. Descarregue-o lá ou escolha outros dispositivos.</translation>
    </message>
    <message>
        <source>{} runs Constela {} (protocol {}) and {} runs Constela {} (protocol {}), which cannot work together. Update Constela on {}.</source>
        <translation>{} executa o Constela {} (protocolo {}) e {} executa o Constela {} (protocolo {}), que não funcionam juntos. Atualize o Constela em {}.</translation>
    </message>
    <message>
        <source>{} runs another version of Constela. Update the older one.</source>
        <translation>{} executa outra versão do Constela. Atualize a mais antiga.</translation>
    </message>
    <message>
        <source>{} sent a list of chunks that is not that of the model {}; nothing more is taken from it.</source>
        <translation>{} enviou uma lista de pedaços que não é a do modelo {}; nada mais será aceito dele.</translation>
    </message>
    <message>
        <source>{} sent another piece of the weights than it was asked for; see that it runs the same version of Constela.</source>
        <translation>{} enviou uma parte dos pesos diferente da que foi pedida; verifique se executa a mesma versão do Constela.</translation>
    </message>
    <message>
        <source>{} sent bytes that are not those of the model {}; they were thrown away, and nothing more is taken from it. See that its disk and its copy of the model are sound.</source>
        <translation>{} enviou bytes que não são os do modelo {}; eles foram descartados, e nada mais será aceito dele. Verifique se o disco e a cópia do modelo dele estão íntegros.</translation>
    </message>
    <message>
        <source>{} sent something that is no answer to a request for weights; see that it runs the same version of Constela.</source>
        <translation>{} enviou algo que não é resposta a um pedido de pesos; verifique se executa a mesma versão do Constela.</translation>
    </message>
    <message>
        <source>{} tokens do not fit into a context of {}; ask for a longer one.</source>
        <translation>{} tokens não cabem em um contexto de {}; peça um maior.</translation>
    </message>
    <message>
        <source>{} was lost: it has been silent for 3 seconds. Look whether it is switched on and connected to the network; it comes back by itself.</source>
        <translation>{} foi perdido: está em silêncio há 3 segundos. Verifique se está ligado e conectado à rede; ele volta sozinho.</translation>
    </message>
    <message>
        <source>{} was lost: its connection broke. Look whether it is switched on and connected to the network; it comes back by itself.</source>
        <translation>{} foi perdido: sua conexão caiu. Verifique se está ligado e conectado à rede; ele volta sozinho.</translation>
    </message>
    <message>
        <source>{} was removed from this node's peers, so it is not let in because another node vouches for it. Pair with it again if it is to come back.</source>
        <translation>{} foi removido dos pares deste nó, por isso não é admitido só porque outro nó responde por ele. Pareie com ele de novo se ele deve voltar.</translation>
    </message>
    <message>
        <source>{} was sent an order for a stage that makes no sense, from {}. Update Constela on both.</source>
        <translation>{} recebeu uma ordem sem sentido para um estágio, vinda de {}. Atualize o Constela nos dois.</translation>
    </message>
    <message>
        <source>{} was started anew; what it had loaded before is gone. Load the model again.</source>
        <translation>{} foi reiniciado; o que tinha carregado antes se perdeu. Carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>{} with port {} is not an address of a node. Write a numeric address, such as 192.168.1.7 or fe80::1%eth0, and a port from 1 to 65535.</source>
        <translation>{} com a porta {} não é um endereço de um nó. Escreva um endereço numérico, como 192.168.1.7 ou fe80::1%eth0, e uma porta de 1 a 65535.</translation>
    </message>
    <message>
        <source>{} with port {} is not an address to connect to.</source>
        <translation>{} com a porta {} não é um endereço ao qual se possa conectar.</translation>
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
        <source>{}: another copy of Constela keeps its fetched models in this folder; choose another one.</source>
        <translation>{}: outra cópia do Constela guarda nesta pasta os modelos que recebeu; escolha outra.</translation>
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
        <source>{}: shards {} to {} were asked for; the model has {} of them, numbered from 0.</source>
        <translation>{}: foram pedidos os fragmentos {} a {}; o modelo tem {} deles, numerados a partir de 0.</translation>
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
        <source>{}: the disk is full; free some space on it.</source>
        <translation>{}: o disco está cheio; libere espaço nele.</translation>
    </message>
    <message>
        <source>{}: the fetched model cannot be removed: {}.</source>
        <translation>{}: não foi possível remover o modelo recebido: {}.</translation>
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
        <source>{}: the file cannot be read: {}.</source>
        <translation>{}: não foi possível ler o arquivo: {}.</translation>
    </message>
    <message>
        <source>{}: the file cannot be removed: {}.</source>
        <translation>{}: não foi possível remover o arquivo: {}.</translation>
    </message>
    <message>
        <source>{}: the file cannot be written: {}.</source>
        <translation>{}: não foi possível gravar o arquivo: {}.</translation>
    </message>
    <message>
        <source>{}: the file ends at byte {}, earlier than it did before.</source>
        <translation>{}: o arquivo termina no byte {}, antes do que terminava.</translation>
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
        <source>{}: the file was changed after its content was read.</source>
        <translation>{}: o arquivo foi alterado depois que seu conteúdo foi lido.</translation>
    </message>
    <message>
        <source>{}: the file was written to after it was opened; load the model again.</source>
        <translation>{}: o arquivo foi modificado depois de aberto; carregue o modelo de novo.</translation>
    </message>
    <message>
        <source>{}: the file was written to while it was read; try again when it is complete.</source>
        <translation>{}: o arquivo foi gravado enquanto era lido; tente de novo quando estiver completo.</translation>
    </message>
    <message>
        <source>{}: the file would be larger than this disk or this account allows.</source>
        <translation>{}: o arquivo seria maior do que este disco ou esta conta permite.</translation>
    </message>
    <message>
        <source>{}: the first block of a range comes before its last.</source>
        <translation>{}: o primeiro bloco de um intervalo vem antes do último.</translation>
    </message>
    <message>
        <source>{}: the first part of this model, {}, is not in the same folder.</source>
        <translation>{}: a primeira parte deste modelo, {}, não está na mesma pasta.</translation>
    </message>
    <message>
        <source>{}: the folder for a fetched model cannot be made: {}.</source>
        <translation>{}: não foi possível criar a pasta para um modelo recebido: {}.</translation>
    </message>
    <message>
        <source>{}: the folder for fetched models cannot be made: {}.</source>
        <translation>{}: não foi possível criar a pasta para os modelos recebidos: {}.</translation>
    </message>
    <message>
        <source>{}: the free space of this disk cannot be found out: {}.</source>
        <translation>{}: não foi possível determinar o espaço livre deste disco: {}.</translation>
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
        <source>{}: the list of a model's chunks does not fit the sizes of its files.</source>
        <translation>{}: a lista de pedaços de um modelo não corresponde aos tamanhos dos arquivos dele.</translation>
    </message>
    <message>
        <source>{}: the list of a model's chunks speaks of {} files; 1 to {} with their sizes were expected.</source>
        <translation>{}: a lista de pedaços de um modelo fala de {} arquivos; esperavam-se de 1 a {} com seus tamanhos.</translation>
    </message>
    <message>
        <source>{}: the model has {} blocks, the first is block.0.</source>
        <translation>{}: o modelo tem {} blocos, o primeiro é block.0.</translation>
    </message>
    <message>
        <source>{}: the model is too large; at most {} in at most {} files can be named by their content.</source>
        <translation>{}: o modelo é grande demais; no máximo {} em no máximo {} arquivos podem ser identificados pelo conteúdo.</translation>
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
        <source>{}: there is no permission to use this file.</source>
        <translation>{}: não há permissão para usar este arquivo.</translation>
    </message>
    <message>
        <source>{}: there is no such file.</source>
        <translation>{}: este arquivo não existe.</translation>
    </message>
    <message>
        <source>{}: this folder cannot be looked into: {}.</source>
        <translation>{}: não foi possível examinar o conteúdo desta pasta: {}.</translation>
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
        <source>{}: this is no list of a model's chunks that this version of Constela understands.</source>
        <translation>{}: isto não é uma lista de pedaços de um modelo que esta versão do Constela entenda.</translation>
    </message>
    <message>
        <source>{}: this is no regular file.</source>
        <translation>{}: este não é um arquivo comum.</translation>
    </message>
    <message>
        <source>{}: this is not a GGUF file: it begins with "{}", where "{}" was expected.</source>
        <translation>{}: este não é um arquivo GGUF: ele começa com "{}", onde se esperava "{}".</translation>
    </message>
    <message>
        <source>{}: this is the list of chunks of another model, or damaged.</source>
        <translation>{}: esta é a lista de pedaços de outro modelo ou está danificada.</translation>
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
</context>
</TS>
