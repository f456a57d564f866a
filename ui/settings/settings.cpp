// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings.h"

#include "ui/common/language.h"
#include "ui/common/literals.h"

namespace constela::ui {

namespace {

constexpr std::uint32_t kMostThreads = 1024;
constexpr std::uint32_t kMostContext = 1U << 22U;

constexpr QStringView kLanguage = u"window/language";
constexpr QStringView kTheme = u"window/theme";
constexpr QStringView kGeometry = u"window/geometry";
constexpr QStringView kThreads = u"model/threads";
constexpr QStringView kContext = u"model/context";
constexpr QStringView kKvType = u"model/kv_type";
constexpr QStringView kLastModel = u"model/last";

QString kvName(kernels::KvType type)
{
    const std::string_view name = kernels::kv_type_name(type);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

std::uint32_t number(const QSettings& file, QStringView key, std::uint32_t most)
{
    bool good = false;
    const uint value = file.value(key.toString()).toUInt(&good);
    return good && value <= most ? value : 0;
}

} // namespace

Settings::Settings(const QString& dataFolder, QObject* parent)
    : QObject(parent), file_(dataFolder % u"/settings.ini"_s, QSettings::IniFormat)
{
}

QString Settings::language() const
{
    const QString choice = file_.value(kLanguage.toString()).toString();
    return Language::choices().contains(choice) ? choice : u"system"_s;
}

void Settings::setLanguage(const QString& choice)
{
    if (choice != language()) {
        file_.setValue(kLanguage.toString(), choice);
        Q_EMIT languageChanged();
    }
}

ThemeChoice Settings::theme() const
{
    return themeFromName(file_.value(kTheme.toString()).toString());
}

void Settings::setTheme(ThemeChoice choice)
{
    if (choice != theme()) {
        file_.setValue(kTheme.toString(), themeName(choice));
        Q_EMIT themeChanged();
    }
}

std::uint32_t Settings::threads() const
{
    return number(file_, kThreads, kMostThreads);
}

void Settings::setThreads(std::uint32_t count)
{
    file_.setValue(kThreads.toString(), count);
}

std::uint32_t Settings::contextLength() const
{
    return number(file_, kContext, kMostContext);
}

void Settings::setContextLength(std::uint32_t tokens)
{
    file_.setValue(kContext.toString(), tokens);
}

kernels::KvType Settings::kvType() const
{
    const QString name = file_.value(kKvType.toString()).toString();
    for (const kernels::KvType type : {kernels::KvType::f32, kernels::KvType::q8_0}) {
        if (name == kvName(type)) {
            return type;
        }
    }
    return kernels::KvType::f16;
}

void Settings::setKvType(kernels::KvType type)
{
    file_.setValue(kKvType.toString(), kvName(type));
}

QString Settings::lastModel() const
{
    return file_.value(kLastModel.toString()).toString();
}

void Settings::setLastModel(const QString& path)
{
    if (path != lastModel()) {
        file_.setValue(kLastModel.toString(), path);
    }
}

QByteArray Settings::geometry() const
{
    return file_.value(kGeometry.toString()).toByteArray();
}

void Settings::setGeometry(const QByteArray& geometry)
{
    file_.setValue(kGeometry.toString(), geometry);
}

QString themeName(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::dark: return u"dark"_s;
    case ThemeChoice::light: return u"light"_s;
    case ThemeChoice::system: break;
    }
    return u"system"_s;
}

ThemeChoice themeFromName(const QString& name)
{
    if (name == u"dark"_s) {
        return ThemeChoice::dark;
    }
    return name == u"light"_s ? ThemeChoice::light : ThemeChoice::system;
}

} // namespace constela::ui
