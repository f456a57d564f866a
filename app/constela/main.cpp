// SPDX-License-Identifier: GPL-3.0-or-later
//
// constela: the window.
#include "app/constela/quit_signals.h"
#include "engine/node/local_node.h"
#include "ui/common/literals.h"
#include "ui/frame/main_window.h"
#include "ui/frame/session.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <QMessageBox>
#include <QStandardPaths>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

namespace {

using constela::ui::operator""_s; // NOLINT(misc-unused-using-decls): the check does not see literal operators
namespace ui = constela::ui;

struct Options {
    QString model;
    ui::SessionOptions session;
};

class Words {
    Q_DECLARE_TR_FUNCTIONS(constela)
public:
    static void addTo(QCommandLineParser& parser)
    {
        parser.setApplicationDescription(
            tr("Constela: chat with a language model that runs on your own machines only."));
        parser.addHelpOption();
        parser.addVersionOption();
        parser.addOptions({
            {u"model"_s, tr("Load this GGUF file."), tr("FILE")},
            {u"data-dir"_s, tr("Keep conversations, settings and models in this folder."), tr("DIR")},
            {u"language"_s, tr("Language of the window: system, en or pt_BR."), tr("LANGUAGE")},
            {u"theme"_s, tr("Colours of the window: system, dark or light."), tr("THEME")},
        });
        parser.addPositionalArgument(u"file"_s, tr("A GGUF file to load."), u"["_s % tr("FILE") % u"]"_s);
    }

    static QString inUse(const QString& folder)
    {
        return tr("Constela is already open with the data folder %1. Use that window, or give another folder with "
                  "--data-dir.")
            .arg(folder);
    }
    static QString noFolder(const QString& folder)
    {
        return tr("The data folder %1 cannot be made. Check that its parent is writable, or give another folder with "
                  "--data-dir.")
            .arg(folder);
    }
    static QString unknown(const QString& option, const QString& value, const QString& known)
    {
        return tr("--%1 cannot be “%2”; it is one of: %3.").arg(option, value, known);
    }
};

[[noreturn]] void refuse(const QString& sentence)
{
    std::fprintf(stderr, "constela: %s\n", qUtf8Printable(sentence));
    std::exit(2); // NOLINT(concurrency-mt-unsafe): no other thread runs yet
}

QString oneOf(const QCommandLineParser& parser, const QString& option, const QStringList& known)
{
    QString value = parser.value(option);
    if (!known.contains(value)) {
        refuse(Words::unknown(option, value, known.join(u", "_s)));
    }
    return value;
}

Options optionsOf(const QApplication& application)
{
    QCommandLineParser parser;
    Words::addTo(parser);
    parser.process(application);
    Options options;
    options.model = parser.isSet(u"model"_s) ? parser.value(u"model"_s) : parser.positionalArguments().value(0);
    options.session.dataFolder = parser.isSet(u"data-dir"_s)
                                     ? QFileInfo(parser.value(u"data-dir"_s)).absoluteFilePath()
                                     : QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    if (parser.isSet(u"language"_s)) {
        options.session.language = oneOf(parser, u"language"_s, ui::Language::choices());
    }
    if (parser.isSet(u"theme"_s)) {
        options.session.theme = ui::themeFromName(oneOf(parser, u"theme"_s, {u"system"_s, u"dark"_s, u"light"_s}));
    }
    return options;
}

/// Help and version are for terminals too, where there may be no display.
void allowWordsWithoutDisplay(int argc, char** argv)
{
    const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    const bool words = std::any_of(argv, argv + argc, [](const std::string_view& argument) {
        return argument == "--help" || argument == "-h" || argument == "--version" || argument == "-v";
    });
    if (words && !display && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
}

int complain(const QString& sentence)
{
    std::fprintf(stderr, "constela: %s\n", qUtf8Printable(sentence));
    QMessageBox::critical(nullptr, u"Constela"_s, sentence);
    return 1;
}

} // namespace

int main(int argc, char** argv)
{
    allowWordsWithoutDisplay(argc, argv);
    QGuiApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    QApplication::setStyle(u"Fusion"_s); // the same ground for our style sheet on every system
    const QApplication application(argc, argv);
    QApplication::setApplicationName(u"constela"_s); // also names the folder of the data
    QApplication::setApplicationDisplayName(u"Constela"_s);
    QApplication::setApplicationVersion(QStringLiteral(CONSTELA_VERSION));
    QGuiApplication::setDesktopFileName(u"constela"_s);

    std::optional<ui::Language> early(std::in_place); // for the words before a window stands
    early->choose(u"system"_s);
    const Options options = optionsOf(application);
    const QString& folder = options.session.dataFolder;
    if (!QDir().mkpath(folder)) {
        return complain(Words::noFolder(folder));
    }
    QLockFile lock(folder % u"/constela.lock"_s);
    lock.setStaleLockTime(0); // only a dead process makes it stale
    if (!lock.tryLock() && lock.error() == QLockFile::LockFailedError) {
        return complain(Words::inUse(folder));
    }

    const constela::QuitSignals signals; // before there is anything to lose
    early.reset();
    ui::Session session(constela::node::make_local_node({}), options.session);
    ui::MainWindow window(session);
    QObject::connect(&signals, &constela::QuitSignals::asked, &window, &ui::MainWindow::closeNow);
    window.show();
    window.activateWindow(); // where there is no window manager, nobody else does
    // After the first frame: the window stands before anything is loaded.
    QTimer::singleShot(0, &session, [&session, &options] { session.loadFirst(options.model); });
    return QApplication::exec();
}
