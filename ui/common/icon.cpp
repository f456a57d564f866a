// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/icon.h"

#include "ui/common/literals.h"
#include "ui/common/make.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

namespace constela::ui {

namespace {

QByteArray drawing(const QString& name)
{
    QFile file(u":/icons/"_s % name % u".svg"_s);
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("no icon %s", qPrintable(name)); // a slip in our own code: every icon is compiled in
    }
    return file.readAll();
}

class RoleIconEngine : public QIconEngine {
public:
    RoleIconEngine(const Theme& theme, QByteArray svg, Role off, Role on)
        : theme_(&theme), svg_(std::move(svg)), off_(off), on_(on)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const bool lit = state == QIcon::On || mode == QIcon::Selected;
        const Role role = mode == QIcon::Disabled ? Role::dim : lit ? on_ : off_;
        QByteArray svg = svg_;
        svg.replace("currentColor", theme_->color(role).name().toLatin1());
        QSvgRenderer(svg).render(painter, rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine* clone() const override { return make<RoleIconEngine>(*this); }

private:
    const Theme* theme_;
    QByteArray svg_;
    Role off_;
    Role on_;
};

} // namespace

QIcon icon(const Theme& theme, const QString& name, Role role)
{
    return icon(theme, name, role, role);
}

QIcon icon(const Theme& theme, const QString& name, Role off, Role on)
{
    return QIcon(make<RoleIconEngine>(theme, drawing(name), off, on));
}

IconLabel::IconLabel(const Theme& theme, const QString& name, Role role, int size, QWidget* parent)
    : QWidget(parent), icon_(icon(theme, name, role))
{
    setFixedSize(size, size);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void IconLabel::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    icon_.paint(&painter, rect());
}

} // namespace constela::ui
