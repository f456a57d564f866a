<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>AnswerNote</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>constela::ui::MainWindow</name>
    <message numerus="yes">
        <source>%n answer(s) under way</source>
        <translation>
            <numerusform>%n answer under way</numerusform>
            <numerusform>%n answers under way</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>constela::ui::StatusLine</name>
    <message numerus="yes">
        <source>%n alert(s)</source>
        <translation>
            <numerusform>%n alert</numerusform>
            <numerusform>%n alerts</numerusform>
        </translation>
    </message>
</context>
</TS>
