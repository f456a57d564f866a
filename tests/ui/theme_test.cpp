// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/icon.h"
#include "ui/common/literals.h"
#include "ui/common/theme.h"

#include <QApplication>
#include <QDir>
#include <QSignalSpy>
#include <QTest>

using namespace constela::ui; // NOLINT(google-build-using-namespace): a test of one file

namespace {

QPalette systemPalette(QRgb text, QRgb ground)
{
    QPalette palette = QApplication::palette();
    palette.setColor(QPalette::WindowText, QColor(text));
    palette.setColor(QPalette::Window, QColor(ground));
    return palette;
}

} // namespace

class ThemeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void contrastIsThatOfWcag()
    {
        QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
        QVERIFY(std::abs(contrast(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.01); // a well-known near miss
    }

    void everyTextIsReadable_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::newRow("dark") << static_cast<int>(Scheme::dark);
        QTest::newRow("light") << static_cast<int>(Scheme::light);
    }
    void everyTextIsReadable()
    {
        QFETCH(int, scheme);
        const auto color = [scheme](Role role) { return roleColor(static_cast<Scheme>(scheme), role); };
        for (const Role ground : {Role::window, Role::card, Role::raised}) {
            for (const Role text : {Role::text, Role::dim, Role::accent, Role::good, Role::warning, Role::bad}) {
                const double found = contrast(color(text), color(ground));
                QVERIFY2(found >= 4.5, qPrintable(u"role %1 on role %2: %3"_s.arg(static_cast<int>(text))
                                                      .arg(static_cast<int>(ground))
                                                      .arg(found)));
            }
        }
        QVERIFY(contrast(color(Role::onAccent), color(Role::accent)) >= 4.5);
    }

    void followsTheSystem()
    {
        const QPalette before = QApplication::palette();
        QApplication::setPalette(systemPalette(0xFF101010, 0xFFF0F0F0));
        Theme theme(ThemeChoice::system);
        QCOMPARE(theme.scheme(), Scheme::light);
        const QSignalSpy changed(&theme, &Theme::changed);
        QApplication::setPalette(systemPalette(0xFFF0F0F0, 0xFF101010));
        QTRY_COMPARE(theme.scheme(), Scheme::dark);
        QCOMPARE(changed.count(), 1);
        theme.choose(ThemeChoice::light);
        QCOMPARE(theme.scheme(), Scheme::light);
        QApplication::setPalette(before);
    }

    void styleSheetKnowsEveryRole()
    {
        const Theme theme(ThemeChoice::dark);
        QVERIFY(!styleSheet(theme).contains(u'@'));
    }

    void iconsAreSharpAndTakeTheRole()
    {
        Theme theme(ThemeChoice::dark);
        for (const QString& file : QDir(u":/icons"_s).entryList()) {
            const QString name = file.chopped(4);
            for (const qreal scale : {1.0, 1.25, 1.5, 2.0}) {
                const QPixmap drawn = icon(theme, name, Role::text).pixmap(QSize(20, 20), scale);
                QCOMPARE(drawn.width(), qRound(20 * scale));
                QVERIFY2(!drawn.isNull(), qPrintable(name));
            }
        }
        const auto strongest = [](const QImage& image) {
            QColor best(Qt::transparent);
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    if (image.pixelColor(x, y).alpha() > best.alpha()) {
                        best = image.pixelColor(x, y);
                    }
                }
            }
            return best;
        };
        const QIcon stop = icon(theme, u"stop"_s, Role::bad);
        QCOMPARE(strongest(stop.pixmap(20, 20).toImage()).name(), theme.color(Role::bad).name());
        theme.choose(ThemeChoice::light);
        QCOMPARE(strongest(stop.pixmap(20, 20).toImage()).name(), theme.color(Role::bad).name());
    }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
