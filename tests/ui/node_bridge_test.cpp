// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/fake_node.h"
#include "ui/common/errors.h"
#include "ui/common/literals.h"
#include "ui/common/node_bridge.h"

#include <QCoreApplication>
#include <QTest>
#include <QThread>
#include <QTranslator>

using namespace constela::ui; // NOLINT(google-build-using-namespace): a test of one file

namespace {

/// Turns every sentence of the engine into the given one.
class OneTranslation : public QTranslator {
public:
    explicit OneTranslation(QString text) : text_(std::move(text)) {}
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* /*source*/, const char* /*comment*/,
                                    int /*n*/) const override
    {
        return QByteArrayView(context) == "engine" ? text_ : QString();
    }

private:
    QString text_;
};

} // namespace

class NodeBridgeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void hearsOnItsOwnThreadAndInOrder()
    {
        const auto node = std::make_shared<constela::test::FakeNode>();
        NodeBridge bridge(node);
        QStringList heard;
        bool sameThread = true;
        connect(&bridge, &NodeBridge::pieceArrived, this, [&](const constela::node::AnswerPiece& piece) {
            sameThread = sameThread && QThread::currentThread() == QCoreApplication::instance()->thread();
            heard += QString::fromStdString(piece.text);
        });
        connect(&bridge, &NodeBridge::answerEnded, this, [&] { heard += u"end"_s; });
        const auto id = bridge.ask({});
        node->piece(id, "a");
        node->piece(id, "b");
        node->end(id);
        QTRY_COMPARE(heard, (QStringList{u"a"_s, u"b"_s, u"end"_s}));
        QVERIFY(sameThread);
        node->finish_load("M");
        QTRY_COMPARE(bridge.model().name, std::string("M"));
    }

    void maybeDestroyedWhileTheNodeSpeaks()
    {
        const auto node = std::make_shared<constela::test::FakeNode>();
        for (int round = 0; round < 50; ++round) {
            auto bridge = std::make_unique<NodeBridge>(node);
            for (int i = 0; i < 20; ++i) {
                node->piece(1, "x");
                node->progress(i / 20.0);
            }
            bridge.reset();
            QCOMPARE(node->listeners(), std::size_t{0});
            QCoreApplication::processEvents();
        }
    }

    void errorsAreTranslatedOrEnglish()
    {
        const constela::Error error{"needs {}, {} are free", {"5.1 GB", "3.2 GB"}, "more"};
        QCOMPARE(translated(error), u"needs 5.1 GB, 3.2 GB are free"_s);
        QCOMPARE(technical(error), u"needs 5.1 GB, 3.2 GB are free\n\nmore"_s);
        OneTranslation good(u"{1} livres, precisa de {0}"_s);
        QCoreApplication::installTranslator(&good);
        QCOMPARE(translated(error), u"3.2 GB livres, precisa de 5.1 GB"_s);
        QCoreApplication::removeTranslator(&good);
        OneTranslation broken(u"{} {} {} {"_s);
        QCoreApplication::installTranslator(&broken);
        QCOMPARE(translated(error), u"needs 5.1 GB, 3.2 GB are free"_s);
        QCoreApplication::removeTranslator(&broken);
    }
};

QTEST_MAIN(NodeBridgeTest)
#include "node_bridge_test.moc"
