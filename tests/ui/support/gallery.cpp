// SPDX-License-Identifier: GPL-3.0-or-later
//
// constela_gallery FOLDER LANGUAGE THEME: draws the window in its states, with the scripted node, into PNG files to
// look at. Needs no display: QT_QPA_PLATFORM=offscreen, QT_SCALE_FACTOR as wished.
#include "tests/support/golden.h"
#include "tests/ui/support/fake_node.h"
#include "ui/common/literals.h"
#include "ui/common/paths.h"
#include "ui/frame/main_window.h"
#include "ui/frame/session.h"

#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QTest>
#include <QUrl>

using namespace constela::ui; // NOLINT(google-build-using-namespace): a program of one file

namespace {

struct Talk {
    const char* other;
    const char* otherAnswer;
    const char* question;
    const char* answer;
    const char* rest;
    const char* thanks;
};

constexpr Talk kEnglish{
    "Tell me a very long story about the stars of the southern sky and those who named them",
    "Long before there were charts, sailors gave names to what they saw.",
    "How do I read a file line by line in Python? Please explain what the with statement does and show a short "
    "example that also counts the lines.",
    "Use `open()` in a **with** statement. It closes the file for you, even when an error happens in "
    "between:\n\n```python\ncount = 0\nwith open(\"notes.txt\", encoding=\"utf-8\") as notes:\n    for line in "
    "notes:\n        count += 1\n        print(f\"{count:4}  {line.rstrip()}\")\n```\n\nWhat happens here:\n\n1. "
    "`open` "
    "gives a file object, which is an iterator over lines.\n2. The loop reads one line at a time, so large files need "
    "little memory.\n3. At the end of the block the file is closed.\n\n",
    "> A file is read in text mode unless you ask for bytes with `\"rb\"`.\n\nSee the "
    "[documentation](https://docs.python.org/3/library/functions.html#open) for more.",
    "Thanks!",
};

constexpr Talk kPortuguese{
    "Conte uma história bem comprida sobre as estrelas do céu do sul e sobre quem deu nome a elas",
    "Muito antes de existirem mapas, os navegadores já davam nomes ao que viam.",
    "Como leio um arquivo linha por linha em Python? Explique o que a instrução with faz e mostre um exemplo curto que "
    "também conte as linhas.",
    "Use `open()` em uma instrução **with**. Ela fecha o arquivo para você, mesmo que ocorra um erro no "
    "meio:\n\n```python\ntotal = 0\nwith open(\"notas.txt\", encoding=\"utf-8\") as notas:\n    for linha in "
    "notas:\n        total += 1\n        print(f\"{total:4}  {linha.rstrip()}\")\n```\n\nO que acontece aqui:\n\n1. "
    "`open` devolve um objeto de arquivo, que itera sobre as linhas.\n2. O laço lê uma linha de cada vez, portanto "
    "arquivos grandes ocupam pouca memória.\n3. No fim do bloco, o arquivo é fechado.\n\n",
    "> O arquivo é lido em modo texto, a menos que você peça bytes com `\"rb\"`.\n\nVeja a "
    "[documentação](https://docs.python.org/pt-br/3/library/functions.html#open) para saber mais.",
    "Obrigado!",
};

class Gallery {
public:
    Gallery(QString folder, const QString& language, const QString& theme)
        : portuguese_(language == u"pt_BR"_s), folder_(std::move(folder)), prefix_(language % u"-"_s % theme % u"-"_s),
          session_(node_, {fromPath(data_.path()), language, themeFromName(theme)}), window_(session_)
    {
        window_.show();
    }

    void run()
    {
        shot(u"1-no-model"_s);
        session_.models.load(u"/models/SmolLM2-135M-Instruct.Q4_1.gguf"_s);
        node_->progress(0.43);
        shot(u"2-loading"_s);
        node_->fail_load({"The file {} is cut short: the tensor {} ends at byte {}, the file at {}. Fetch it again.",
                          {"/models/SmolLM2-135M-Instruct.Q4_1.gguf", "blk.29.ffn_down.weight", "98211840", "61000000"},
                          "tensor table entry 271"});
        shot(u"3-failed"_s);
        session_.models.load(u"/models/SmolLM2-135M-Instruct.Q4_1.gguf"_s);
        node_->finish_load();
        shot(u"4-ready"_s);
        talk();
        session_.chat.startNew();
        for (int page = 1; page < kPages; ++page) {
            window_.showPage(static_cast<Page>(page));
            shot(u"9-page-"_s % PageWords::iconName(static_cast<Page>(page)));
        }
        window_.showPage(Page::chat);
        overlays();
    }

private:
    void talk()
    {
        const Talk& words = portuguese_ ? kPortuguese : kEnglish;
        session_.chat.send(QString::fromUtf8(words.other));
        settle();
        node_->piece(1, words.otherAnswer);
        session_.chat.startNew();
        session_.chat.send(QString::fromUtf8(words.question));
        settle();
        node_->report({2, constela::node::AnswerSnapshot::State::prefill, {96, 0, 0, 0, 0, 0}, 64, 0});
        shot(u"5-reading"_s);
        node_->piece(2, words.answer);
        constela::runtime::GenerationStats stats;
        stats.generated_tokens = 121;
        node_->report({2, constela::node::AnswerSnapshot::State::decoding, stats, 96, 41.2});
        shot(u"6-streaming"_s);
        node_->piece(2, words.rest);
        node_->end(2);
        shot(u"7-answered"_s);
        session_.chat.send(QString::fromUtf8(words.thanks));
        settle();
        node_->end(3, constela::runtime::StopReason::failed,
                   constela::Error{"The conversation needs {} tokens and the context holds {}. Start a new one.",
                                   {"9120", "8192"},
                                   ""});
        shot(u"8-answer-failed"_s);
    }

    void overlays()
    {
        press(Qt::Key_K, Qt::ControlModifier);
        shot(u"a-find"_s);
        QTest::keyClicks(window_.findChild<QLineEdit*>(u"finderWords"_s), portuguese_ ? u"conv"_s : u"con"_s);
        shot(u"b-found"_s);
        press(Qt::Key_Escape);
        press(Qt::Key_F1);
        shot(u"c-help"_s);
        press(Qt::Key_Escape);
        QMimeData dragged;
        dragged.setUrls({QUrl::fromLocalFile(u"/models/A model with a rather long name, Q4_K_M.gguf"_s)});
        QDragEnterEvent enter(window_.rect().center(), Qt::CopyAction, &dragged, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window_, &enter);
        shot(u"d-drop"_s);
    }

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : &window_, key, modifiers);
    }

    static void settle() { QTest::qWait(150); }

    void shot(const QString& name)
    {
        settle();
        window_.grab().save(folder_ % u"/"_s % prefix_ % name % u".png"_s);
    }

    constela::test::TempDir data_;
    std::shared_ptr<constela::test::FakeNode> node_ = std::make_shared<constela::test::FakeNode>();
    bool portuguese_;
    QString folder_;
    QString prefix_;
    Session session_;
    MainWindow window_;
};

} // namespace

int main(int argc, char** argv)
{
    QApplication::setStyle(u"Fusion"_s);
    const QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() != 4) {
        qWarning("usage: constela_gallery FOLDER LANGUAGE THEME");
        return 2;
    }
    QDir().mkpath(arguments.at(1));
    Gallery(arguments.at(1), arguments.at(2), arguments.at(3)).run();
    return 0;
}
