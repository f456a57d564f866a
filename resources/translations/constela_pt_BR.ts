<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="pt_BR">
<context>
    <name>AnswerNote</name>
    <message>
        <source>%1 t/s</source>
        <translation>%1 t/s</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>parada</translation>
    </message>
    <message>
        <source>ended at the token limit</source>
        <translation>terminou no limite de tokens</translation>
    </message>
    <message>
        <source>ended because the context is full</source>
        <translation>terminou porque o contexto está cheio</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>falhou</translation>
    </message>
    <message>
        <source>interrupted: the window was closed while it answered</source>
        <translation>interrompida: a janela foi fechada durante a resposta</translation>
    </message>
    <message>
        <source>waiting for its turn</source>
        <translation>aguardando a vez</translation>
    </message>
    <message>
        <source>reading the conversation</source>
        <translation>lendo a conversa</translation>
    </message>
    <message>
        <source>reading the conversation: %1 of %2 tokens</source>
        <translation>lendo a conversa: %1 de %2 tokens</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>first token %1 ms</source>
        <translation>primeiro token em %1 ms</translation>
    </message>
</context>
<context>
    <name>PageWords</name>
    <message>
        <source>Chat</source>
        <translation>Conversa</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Distribuição</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>Monitor</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelos</translation>
    </message>
    <message>
        <source>Advisor</source>
        <translation>Consultor</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Configurações</translation>
    </message>
    <message>
        <source>Not built yet: your machines, their devices and the measured links between them will be here.</source>
        <translation>Ainda não construída: aqui ficarão as suas máquinas, os dispositivos delas e as conexões medidas entre eles.</translation>
    </message>
    <message>
        <source>Not built yet: which device holds which part of the model will be here, to be moved by dragging.</source>
        <translation>Ainda não construída: aqui aparecerá qual dispositivo guarda qual parte do modelo, e será possível movê-las arrastando.</translation>
    </message>
    <message>
        <source>Not built yet: load, memory, temperature and power of each device over time will be here.</source>
        <translation>Ainda não construída: aqui aparecerão carga, memória, temperatura e consumo de cada dispositivo ao longo do tempo.</translation>
    </message>
    <message>
        <source>Not built yet: your model files will be listed here, with whether they fit and how fast they would be. Until then, choose a model on the Chat page.</source>
        <translation>Ainda não construída: aqui serão listados os seus arquivos de modelo, se cabem na máquina e com que velocidade rodariam. Até lá, escolha um modelo na página Conversa.</translation>
    </message>
    <message>
        <source>Not built yet: advice on which hardware would help most for a model will be here.</source>
        <translation>Ainda não construída: aqui haverá orientação sobre qual hardware mais ajudaria para um modelo.</translation>
    </message>
    <message>
        <source>Talk with the model that is loaded. The foot of the page shows the model and changes it; a GGUF file can also be dropped anywhere on the window. Conversations stand at the left and are kept on this machine. Several can be answered at the same time: switch to another while one is at work.</source>
        <translation>Converse com o modelo carregado. O pé da página mostra o modelo e permite trocá-lo; um arquivo GGUF também pode ser solto em qualquer parte da janela. As conversas ficam à esquerda e são guardadas nesta máquina. Várias podem ser respondidas ao mesmo tempo: mude para outra enquanto uma trabalha.</translation>
    </message>
    <message>
        <source>Each setting has a sentence that says what it does and when it takes effect. The field on top shows only the settings that have the words typed.</source>
        <translation>Cada configuração tem uma frase que diz o que ela faz e quando passa a valer. O campo no alto mostra só as configurações que contêm as palavras digitadas.</translation>
    </message>
</context>
<context>
    <name>constela</name>
    <message>
        <source>Constela: chat with a language model that runs on your own machines only.</source>
        <translation>Constela: converse com um modelo de linguagem que roda somente nas suas próprias máquinas.</translation>
    </message>
    <message>
        <source>Load this GGUF file.</source>
        <translation>Carrega este arquivo GGUF.</translation>
    </message>
    <message>
        <source>FILE</source>
        <translation>ARQUIVO</translation>
    </message>
    <message>
        <source>Keep conversations, settings and models in this folder.</source>
        <translation>Guarda conversas, configurações e modelos nesta pasta.</translation>
    </message>
    <message>
        <source>DIR</source>
        <translation>PASTA</translation>
    </message>
    <message>
        <source>Language of the window: system, en or pt_BR.</source>
        <translation>Idioma da janela: system, en ou pt_BR.</translation>
    </message>
    <message>
        <source>LANGUAGE</source>
        <translation>IDIOMA</translation>
    </message>
    <message>
        <source>Colours of the window: system, dark or light.</source>
        <translation>Cores da janela: system, dark ou light.</translation>
    </message>
    <message>
        <source>THEME</source>
        <translation>TEMA</translation>
    </message>
    <message>
        <source>A GGUF file to load.</source>
        <translation>Um arquivo GGUF para carregar.</translation>
    </message>
    <message>
        <source>Constela is already open with the data folder %1. Use that window, or give another folder with --data-dir.</source>
        <translation>O Constela já está aberto com a pasta de dados %1. Use aquela janela ou indique outra pasta com --data-dir.</translation>
    </message>
    <message>
        <source>The data folder %1 cannot be made. Check that its parent is writable, or give another folder with --data-dir.</source>
        <translation>Não foi possível criar a pasta de dados %1. Verifique se a pasta que a contém permite escrita ou indique outra com --data-dir.</translation>
    </message>
    <message>
        <source>--%1 cannot be “%2”; it is one of: %3.</source>
        <translation>--%1 não pode ser “%2”; deve ser um destes: %3.</translation>
    </message>
</context>
<context>
    <name>constela::ui::ChatPage</name>
    <message>
        <source>“%1” was deleted.</source>
        <translation>“%1” foi excluída.</translation>
    </message>
    <message>
        <source>Conversations are not being saved</source>
        <translation>As conversas não estão sendo salvas</translation>
    </message>
    <message>
        <source>Write your next message meanwhile</source>
        <translation>Enquanto isso, escreva a próxima mensagem</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Escreva uma mensagem</translation>
    </message>
    <message>
        <source>Choose a model to start writing</source>
        <translation>Escolha um modelo para começar a conversar</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Escolha um modelo</translation>
    </message>
    <message>
        <source>Answers are made by a model on this machine; nothing you write leaves it. Choose a model file (GGUF), or drop one onto this window.</source>
        <translation>As respostas são geradas por um modelo nesta máquina; nada do que você escreve sai dela. Escolha um arquivo de modelo (GGUF) ou solte um sobre esta janela.</translation>
    </message>
    <message>
        <source>The model is loading</source>
        <translation>O modelo está sendo carregado</translation>
    </message>
    <message>
        <source>You can already write; the message can be sent as soon as it is there.</source>
        <translation>Você já pode escrever; a mensagem poderá ser enviada assim que ele estiver pronto.</translation>
    </message>
    <message>
        <source>Ask something</source>
        <translation>Pergunte algo</translation>
    </message>
    <message>
        <source>Write below. The answer appears here while it is being made.</source>
        <translation>Escreva abaixo. A resposta aparece aqui enquanto é gerada.</translation>
    </message>
    <message>
        <source>Rename this conversation (F2)</source>
        <translation>Renomear esta conversa (F2)</translation>
    </message>
    <message>
        <source>Rename this conversation</source>
        <translation>Renomear esta conversa</translation>
    </message>
    <message>
        <source>Delete this conversation</source>
        <translation>Excluir esta conversa</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Mensagens</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>Escolher um modelo…</translation>
    </message>
    <message>
        <source>Load the demo model</source>
        <translation>Carregar o modelo de demonstração</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Desfazer</translation>
    </message>
    <message>
        <source>No model is loaded</source>
        <translation>Nenhum modelo carregado</translation>
    </message>
    <message>
        <source>What went wrong stands below.</source>
        <translation>Veja abaixo o que deu errado.</translation>
    </message>
    <message>
        <source>Write while the model loads</source>
        <translation>Escreva enquanto o modelo carrega</translation>
    </message>
</context>
<context>
    <name>constela::ui::CodeView</name>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Copy this code</source>
        <translation>Copiar este código</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Código</translation>
    </message>
</context>
<context>
    <name>constela::ui::Composer</name>
    <message>
        <source>Message</source>
        <translation>Mensagem</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Enviar</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>Enviar (Enter)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Parar</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>Parar a resposta (Esc)</translation>
    </message>
</context>
<context>
    <name>constela::ui::ConversationListModel</name>
    <message>
        <source>answering</source>
        <translation>respondendo</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>Nova conversa</translation>
    </message>
    <message>
        <source>%1, answering</source>
        <translation>%1, respondendo</translation>
    </message>
</context>
<context>
    <name>constela::ui::ConversationPanel</name>
    <message>
        <source>New conversation</source>
        <translation>Nova conversa</translation>
    </message>
    <message>
        <source>New conversation (Ctrl+N)</source>
        <translation>Nova conversa (Ctrl+N)</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Conversas</translation>
    </message>
    <message>
        <source>Your conversations will be listed here. They are kept on this machine only.</source>
        <translation>As suas conversas aparecerão aqui. Elas ficam guardadas somente nesta máquina.</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Renomear</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Excluir</translation>
    </message>
</context>
<context>
    <name>constela::ui::DropSign</name>
    <message>
        <source>Let go to load %1</source>
        <translation>Solte para carregar %1</translation>
    </message>
</context>
<context>
    <name>constela::ui::ErrorView</name>
    <message>
        <source>Details</source>
        <translation>Detalhes</translation>
    </message>
    <message>
        <source>Show technical details</source>
        <translation>Mostrar detalhes técnicos</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Copy the technical details</source>
        <translation>Copiar os detalhes técnicos</translation>
    </message>
    <message>
        <source>Technical details</source>
        <translation>Detalhes técnicos</translation>
    </message>
</context>
<context>
    <name>constela::ui::Finder</name>
    <message>
        <source>Find a page, a conversation, a setting, something to do</source>
        <translation>Encontrar uma página, uma conversa, uma configuração, algo a fazer</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>O que foi encontrado</translation>
    </message>
    <message>
        <source>Nothing here has these words.</source>
        <translation>Nada aqui tem essas palavras.</translation>
    </message>
</context>
<context>
    <name>constela::ui::HelpCard</name>
    <message>
        <source>Keys</source>
        <translation>Teclas</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fechar</translation>
    </message>
    <message>
        <source>the pages, in the order of the rail</source>
        <translation>as páginas, na ordem da barra lateral</translation>
    </message>
    <message>
        <source>find a page, a conversation, a setting, something to do</source>
        <translation>encontrar uma página, uma conversa, uma configuração, algo a fazer</translation>
    </message>
    <message>
        <source>begin a new conversation</source>
        <translation>começar uma nova conversa</translation>
    </message>
    <message>
        <source>rename the conversation</source>
        <translation>renomear a conversa</translation>
    </message>
    <message>
        <source>send what is typed</source>
        <translation>enviar o que foi digitado</translation>
    </message>
    <message>
        <source>begin a new line</source>
        <translation>começar uma nova linha</translation>
    </message>
    <message>
        <source>stop the answer, or close what lies over the page</source>
        <translation>parar a resposta, ou fechar o que está sobre a página</translation>
    </message>
    <message>
        <source>this help</source>
        <translation>esta ajuda</translation>
    </message>
    <message>
        <source>close Constela; everything is kept</source>
        <translation>fechar o Constela; tudo fica guardado</translation>
    </message>
</context>
<context>
    <name>constela::ui::MainWindow</name>
    <message>
        <source>loading a model: %1 %</source>
        <translation>carregando um modelo: %1 %</translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) under way</source>
        <translation>
            <numerusform>%n resposta em andamento</numerusform>
            <numerusform>%n respostas em andamento</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 - Constela</source>
        <translation>%1 - Constela</translation>
    </message>
    <message>
        <source>page</source>
        <translation>página</translation>
    </message>
    <message>
        <source>action</source>
        <translation>ação</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>Nova conversa</translation>
    </message>
    <message>
        <source>Choose a model file</source>
        <translation>Escolher um arquivo de modelo</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Parar a resposta</translation>
    </message>
    <message>
        <source>conversation</source>
        <translation>conversa</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>configuração</translation>
    </message>
    <message>
        <source>Close Constela and lose what is not saved?</source>
        <translation>Fechar o Constela e perder o que não foi salvo?</translation>
    </message>
    <message>
        <source>Close and lose it</source>
        <translation>Fechar e perder</translation>
    </message>
    <message>
        <source>Keep open</source>
        <translation>Manter aberto</translation>
    </message>
</context>
<context>
    <name>constela::ui::MessageView</name>
    <message>
        <source>You wrote</source>
        <translation>Você escreveu</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Resposta</translation>
    </message>
    <message>
        <source>There is no answer</source>
        <translation>Não houve resposta</translation>
    </message>
    <message>
        <source>The answer broke off</source>
        <translation>A resposta foi interrompida</translation>
    </message>
    <message>
        <source>Copy the answer</source>
        <translation>Copiar a resposta</translation>
    </message>
</context>
<context>
    <name>constela::ui::ModelBar</name>
    <message>
        <source>Choose a model</source>
        <translation>Escolha um modelo</translation>
    </message>
    <message>
        <source>Models in GGUF format (*.gguf);;All files (*)</source>
        <translation>Modelos no formato GGUF (*.gguf);;Todos os arquivos (*)</translation>
    </message>
    <message>
        <source>The model could not be opened</source>
        <translation>Não foi possível abrir o modelo</translation>
    </message>
    <message>
        <source>This model&apos;s own chat format is not used</source>
        <translation>O formato de conversa do próprio modelo não está em uso</translation>
    </message>
    <message>
        <source>Change model…</source>
        <translation>Trocar modelo…</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>Escolher um modelo…</translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation>Carregando %1</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>No model is loaded</source>
        <translation>Nenhum modelo carregado</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Descarregar</translation>
    </message>
    <message>
        <source>Put the model away and free its memory</source>
        <translation>Retirar o modelo e liberar a memória dele</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Tentar de novo</translation>
    </message>
    <message>
        <source>Choose another model…</source>
        <translation>Escolher outro modelo…</translation>
    </message>
    <message>
        <source>%1 M</source>
        <translation>%1 mi</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 bi</translation>
    </message>
    <message>
        <source>context %1</source>
        <translation>contexto %1</translation>
    </message>
</context>
<context>
    <name>constela::ui::PageHeader</name>
    <message>
        <source>no model</source>
        <translation>nenhum modelo</translation>
    </message>
    <message>
        <source>model: %1</source>
        <translation>modelo: %1</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Encontrar</translation>
    </message>
    <message>
        <source>Find a page, a conversation, a setting, something to do (Ctrl+K)</source>
        <translation>Encontrar uma página, uma conversa, uma configuração, algo a fazer (Ctrl+K)</translation>
    </message>
</context>
<context>
    <name>constela::ui::Rail</name>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation>%1 (Ctrl+%2)</translation>
    </message>
</context>
<context>
    <name>constela::ui::SettingsPage</name>
    <message>
        <source>As the system</source>
        <translation>Como no sistema</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Escuro</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Claro</translation>
    </message>
    <message>
        <source>f16 (usual)</source>
        <translation>f16 (usual)</translation>
    </message>
    <message>
        <source>q8_0 (half the memory)</source>
        <translation>q8_0 (metade da memória)</translation>
    </message>
    <message>
        <source>f32 (twice the memory)</source>
        <translation>f32 (o dobro da memória)</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automático</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> tokens</translation>
    </message>
    <message>
        <source>Search the settings</source>
        <translation>Buscar nas configurações</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Janela</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modelo</translation>
    </message>
    <message>
        <source>No setting has these words.</source>
        <translation>Nenhuma configuração tem essas palavras.</translation>
    </message>
    <message>
        <source>Load the model again</source>
        <translation>Recarregar o modelo</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>The language of the window. It does not change what language a model answers in.</source>
        <translation>O idioma da janela. Não muda o idioma em que um modelo responde.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Tema</translation>
    </message>
    <message>
        <source>Dark or light colours.</source>
        <translation>Cores escuras ou claras.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>How many processor threads compute. Automatic takes one per core. Used the next time a model is loaded.</source>
        <translation>Quantas threads do processador fazem os cálculos. Automático usa uma por núcleo. Vale a partir do próximo carregamento de um modelo.</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>Tamanho do contexto</translation>
    </message>
    <message>
        <source>How many tokens of a conversation the model keeps in view. Longer takes more memory. Automatic takes the model&apos;s own, at most 8192 and what memory allows. Used the next time a model is loaded.</source>
        <translation>Quantos tokens de uma conversa o modelo mantém em vista. Quanto maior, mais memória ocupa. Automático usa o tamanho do próprio modelo, no máximo 8192 e até onde a memória permitir. Vale a partir do próximo carregamento de um modelo.</translation>
    </message>
    <message>
        <source>KV cache type</source>
        <translation>Tipo do cache KV</translation>
    </message>
    <message>
        <source>How exactly the conversation&apos;s keys and values are kept in memory. Used the next time a model is loaded.</source>
        <translation>Com que exatidão as chaves e os valores da conversa são guardados na memória. Vale a partir do próximo carregamento de um modelo.</translation>
    </message>
    <message>
        <source>Apply to the loaded model</source>
        <translation>Aplicar ao modelo carregado</translation>
    </message>
    <message>
        <source>Loads the model again with the settings above. Answers under way stop.</source>
        <translation>Carrega o modelo de novo com as configurações acima. As respostas em andamento param.</translation>
    </message>
</context>
<context>
    <name>constela::ui::StatusLine</name>
    <message>
        <source>no alerts</source>
        <translation>nenhum alerta</translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s)</source>
        <translation>
            <numerusform>%n alerta</numerusform>
            <numerusform>%n alertas</numerusform>
        </translation>
    </message>
    <message>
        <source>perimeter: this machine only, nothing leaves it</source>
        <translation>perímetro: somente esta máquina, nada sai dela</translation>
    </message>
</context>
</TS>
