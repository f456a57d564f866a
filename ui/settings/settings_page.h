// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings, each with a sentence of what it does, and a field that filters them.
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QSpinBox;
class QVBoxLayout;

namespace constela::ui {

class ModelControl;
class Settings;
class Theme;

class SettingsPage : public QWidget {
    Q_OBJECT
public:
    SettingsPage(const Theme& theme, Settings& settings, ModelControl& models, QWidget* parent = nullptr);

    /// What each setting is called, in the order of the page.
    [[nodiscard]] QStringList names() const;
    /// Shows everything, with the keyboard on this setting.
    void reveal(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Entry {
        QWidget* row;
        QLabel* name;
        QLabel* about;
        QWidget* control;
    };
    [[nodiscard]] QLabel* addSection(QVBoxLayout* column);
    void addEntry(QVBoxLayout* column, QWidget* control);
    void retranslate();
    void fillChoices();
    void refresh();
    void filter(const QString& text);

    Settings& settings_;
    ModelControl& models_;
    QLineEdit* search_;
    QLabel* windowSection_ = nullptr;
    QLabel* modelSection_ = nullptr;
    QLabel* nothing_;
    QScrollArea* scroll_;
    QComboBox* language_;
    QComboBox* theme_;
    QSpinBox* threads_;
    QSpinBox* context_;
    QComboBox* kvType_;
    QPushButton* reload_;
    QList<Entry> entries_; ///< In the order of the page.
};

} // namespace constela::ui
