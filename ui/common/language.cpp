// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/language.h"

#include "ui/common/literals.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace constela::ui {

namespace {

QString resolve(const QString& choice)
{
    if (choice == u"en"_s || choice == u"pt_BR"_s) {
        return choice;
    }
    for (const QString& wish : QLocale::system().uiLanguages()) {
        const QLocale::Language language = QLocale(wish).language();
        if (language == QLocale::Portuguese) {
            return u"pt_BR"_s;
        }
        if (language == QLocale::English) {
            break;
        }
    }
    return u"en"_s;
}

} // namespace

Language::~Language()
{
    if (QCoreApplication::instance() != nullptr) {
        remove();
    }
}

QStringList Language::choices()
{
    return {u"system"_s, u"en"_s, u"pt_BR"_s};
}

void Language::remove()
{
    QCoreApplication::removeTranslator(&own_);
    QCoreApplication::removeTranslator(&engine_);
    QCoreApplication::removeTranslator(&qt_);
}

void Language::choose(const QString& choice)
{
    const QString name = resolve(choice);
    if (name == name_) {
        return;
    }
    name_ = name;
    QLocale::setDefault(QLocale(name));
    remove();
    // The English files hold plurals only; Qt's own texts and the engine's sentences are English already.
    const QString folder = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    if (qt_.load(u"qtbase_"_s % name, folder)) {
        QCoreApplication::installTranslator(&qt_);
    }
    if (engine_.load(u":/i18n/engine_"_s % name % u".qm"_s)) {
        QCoreApplication::installTranslator(&engine_);
    }
    if (own_.load(u":/i18n/constela_"_s % name % u".qm"_s)) {
        QCoreApplication::installTranslator(&own_);
    }
}

} // namespace constela::ui
