<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="pt_BR">
<context>
    <name>AnswerNote</name>
    <message>
        <source>%1 t/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended at the token limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended because the context is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted: the window was closed while it answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for its turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the conversation: %1 of %2 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>first token %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PageWords</name>
    <message>
        <source>Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Placement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Advisor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not built yet: your machines, their devices and the measured links between them will be here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not built yet: which device holds which part of the model will be here, to be moved by dragging.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not built yet: load, memory, temperature and power of each device over time will be here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not built yet: your model files will be listed here, with whether they fit and how fast they would be. Until then, choose a model on the Chat page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not built yet: advice on which hardware would help most for a model will be here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::ChatPage</name>
    <message>
        <source>“%1” was deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversations are not being saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write your next message meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a message; it can be sent once the model is loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model to start writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers are made by a model on this machine; nothing you write leaves it. Choose a model file (GGUF), or drop one onto this window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model is loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You can already write; the message can be sent as soon as it is there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write below. The answer appears here while it is being made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename this conversation (F2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename this conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete this conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load the demo model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::CodeView</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy this code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::Composer</name>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::ConversationListModel</name>
    <message>
        <source>answering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, answering</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::ConversationPanel</name>
    <message>
        <source>New conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New conversation (Ctrl+N)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your conversations will be listed here. They are kept on this machine only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::ErrorView</name>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show technical details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the technical details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Technical details</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::MainWindow</name>
    <message>
        <source>loading a model: %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) under way</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 - Constela</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::MessageView</name>
    <message>
        <source>You wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer broke off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::ModelBar</name>
    <message>
        <source>Choose a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models in GGUF format (*.gguf);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 M parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 B parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context %1 tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model could not be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model&apos;s own chat format is not used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the model away and free its memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another model…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::PageHeader</name>
    <message>
        <source>no model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::Rail</name>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::SettingsPage</name>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>f16 (usual)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q8_0 (half the memory)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>f32 (twice the memory)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No setting has these words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load the model again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The language of the window. It does not change what language a model answers in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark or light colours.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many processor threads compute. Automatic takes one per core. Used the next time a model is loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many tokens of a conversation the model keeps in view. Longer takes more memory. Automatic takes the model&apos;s own, at most 8192 and what memory allows. Used the next time a model is loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How exactly the conversation&apos;s keys and values are kept in memory. Used the next time a model is loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply to the loaded model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loads the model again with the settings above. Answers under way stop.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>constela::ui::StatusLine</name>
    <message>
        <source>no alerts</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>perimeter: this machine only, nothing leaves it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
