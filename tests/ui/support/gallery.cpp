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
#include <QElapsedTimer>
#include <QPushButton>
#include <QTest>
#include <QTextEdit>
#include <QToolButton>

using namespace constela::ui; // NOLINT(google-build-using-namespace): a program of one file

namespace {

class Gallery {
public:
    Gallery(const QString& folder, const QString& language, const QString& theme)
        : folder_(folder), prefix_(language % u"-"_s % theme % u"-"_s),
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
    }

private:
    void talk()
    {
        session_.chat.send(u"Tell me a very long story about the stars of the southern sky and those who named them"_s);
        settle();
        node_->piece(1, "Long before there were charts, sailors gave names to what they saw.");
        session_.chat.startNew();
        session_.chat.send(u"How do I read a file line by line in Python? Please explain what the with statement does "
                           "and show a short example that also counts the lines."_s);
        settle();
        node_->report({2, constela::node::AnswerSnapshot::State::prefill, {96, 0, 0, 0, 0, 0}, 64, 0});
        shot(u"5-reading"_s);
        node_->piece(2, "Use `open()` in a **with** statement. It closes the file for you, even when an error "
                        "happens in between:\n\n```python\ncount = 0\nwith open(\"notes.txt\", encoding=\"utf-8\") as "
                        "notes:\n    for line in notes:\n        count += 1\n        print(f\"{count:4}  "
                        "{line.rstrip()}\")\n```\n\nWhat happens here:\n\n1. `open` gives a file object, which is an "
                        "iterator over lines.\n2. The loop reads one line at a time, so large files need little "
                        "memory.\n3. At the end of the block the file is closed.\n\n");
        constela::runtime::GenerationStats stats;
        stats.generated_tokens = 121;
        node_->report({2, constela::node::AnswerSnapshot::State::decoding, stats, 96, 41.2});
        shot(u"6-streaming"_s);
        node_->piece(2, "> A file is read in text mode unless you ask for bytes with `\"rb\"`.\n\nSee the "
                        "[documentation](https://docs.python.org/3/library/functions.html#open) for more.");
        node_->end(2);
        shot(u"7-answered"_s);
        session_.chat.send(u"Thanks!"_s);
        settle();
        node_->end(3, constela::runtime::StopReason::failed,
                   constela::Error{"The conversation needs {} tokens and the context holds {}. Start a new one.",
                                   {"9120", "8192"},
                                   ""});
        shot(u"8-answer-failed"_s);
    }

    static void settle() { QTest::qWait(150); }

    void shot(const QString& name)
    {
        settle();
        window_.grab().save(folder_ % u"/"_s % prefix_ % name % u".png"_s);
    }

    constela::test::TempDir data_;
    std::shared_ptr<constela::test::FakeNode> node_ = std::make_shared<constela::test::FakeNode>();
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
