// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions that a template finds: Jinja's own, and those that Hugging Face's library adds.
#include "engine/text/jinja/builtins.h"
#include "engine/text/jinja/dates.h"

#include <algorithm>
#include <fmt/format.h>

namespace constela::text::jinja {

namespace {

/// Jinja's sandbox allows no longer ranges.
constexpr std::int64_t kLongestRange = 100'000;

using Function = Value (*)(Interpreter& interpreter, const Arguments& arguments);

class FunctionObject final : public Object {
public:
    explicit FunctionObject(Function function) : function_(function) {}
    std::string type_name() const override { return "function"; }
    bool callable() const override { return true; }
    Value call(Interpreter& interpreter, const Arguments& arguments) override
    {
        return function_(interpreter, arguments);
    }

private:
    Function function_;
};

class Namespace final : public Object {
public:
    std::string type_name() const override { return "Namespace"; }
    Value attribute(std::string_view name) const override
    {
        const auto found =
            std::find_if(values_.begin(), values_.end(), [&](const auto& one) { return one.first == name; });
        return found == values_.end() ? Object::attribute(name) : found->second;
    }
    void set_attribute(const std::string& name, const Value& value) override
    {
        const auto found =
            std::find_if(values_.begin(), values_.end(), [&](const auto& one) { return one.first == name; });
        if (found != values_.end()) {
            found->second = value;
        } else {
            values_.emplace_back(name, value);
        }
    }

private:
    std::vector<std::pair<std::string, Value>> values_;
};

/// cycler(a, b, c): next(), current, reset()
class Cycler final : public Object {
public:
    explicit Cycler(std::vector<Value> items) : items_(std::move(items)) {}
    std::string type_name() const override { return "Cycler"; }
    Value attribute(std::string_view name) const override
    {
        return name == "current" ? items_[at_] : Object::attribute(name);
    }
    Value next() { return items_[std::exchange(at_, (at_ + 1) % items_.size())]; }
    Value reset()
    {
        at_ = 0;
        return None{};
    }

private:
    std::vector<Value> items_;
    std::size_t at_ = 0;
};

/// joiner(separator): nothing the first time, the separator from then on.
class Joiner final : public Object {
public:
    explicit Joiner(Value separator) : separator_(std::move(separator)) {}
    std::string type_name() const override { return "Joiner"; }
    bool callable() const override { return true; }
    Value call(Interpreter& /*interpreter*/, const Arguments& /*arguments*/) override
    {
        return std::exchange(used_, true) ? separator_ : Value::text("");
    }

private:
    Value separator_;
    bool used_ = false;
};

/// strftime_now(format): the clock's time, or the text that a caller fixed it to.
class StrftimeNow final : public Object {
public:
    explicit StrftimeNow(std::string fixed) : fixed_(std::move(fixed)) {}
    std::string type_name() const override { return "function"; }
    bool callable() const override { return true; }
    Value call(Interpreter& interpreter, const Arguments& arguments) override
    {
        const std::string& format = text_argument(arguments, 0, "format", "strftime_now").text;
        interpreter.budget().charge(format.size() * 10);
        return Value::text(fixed_.empty() ? format_date(clock_date(), format) : fixed_);
    }

private:
    std::string fixed_;
};

Value range(Interpreter& interpreter, const Arguments& arguments)
{
    std::int64_t start = integer_argument(arguments, 0, "start", 0);
    std::int64_t stop = 0;
    required(arguments, 0, "stop", "range").need_defined();
    const std::int64_t step = integer_argument(arguments, 2, "step", 1);
    if (arguments.positional.size() > 1) {
        stop = integer_argument(arguments, 1, "stop", 0);
    } else {
        stop = std::exchange(start, 0);
    }
    if (step == 0) {
        fail_render("range() arg 3 must not be zero");
    }
    // In double the distance cannot overflow; beyond the limit its exact value is of no interest.
    const double count = (static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step);
    if (count > static_cast<double>(kLongestRange)) {
        fail_render(fmt::format("Range too big. The sandbox blocks ranges larger than MAX_RANGE ({}).", kLongestRange));
    }
    std::vector<Value> items;
    for (std::int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
        interpreter.budget().charge(8);
        items.emplace_back(i);
        if (items.size() > static_cast<std::size_t>(kLongestRange)) {
            break;
        }
    }
    return Value::list(std::move(items));
}

Value make_dict(Interpreter& interpreter, const Arguments& arguments)
{
    std::vector<std::pair<Value, Value>> items;
    if (!arguments.positional.empty()) {
        if (const Dict* dict = arguments.positional[0].as_dict()) {
            interpreter.budget().charge(dict->items.size() * 16);
            items = dict->items;
        } else {
            for (const Value& pair : iterate(interpreter.budget(), arguments.positional[0])) {
                const std::vector<Value> both = iterate(interpreter.budget(), pair);
                if (both.size() != 2) {
                    fail_render("dict() needs pairs");
                }
                items.emplace_back(both[0], both[1]);
            }
        }
    }
    for (const auto& [name, value] : arguments.named) {
        const auto old = std::find_if(items.begin(), items.end(), [&, wanted = &name](const auto& item) {
            return item.first.as_text() != nullptr && item.first.as_text()->text == *wanted;
        });
        if (old != items.end()) {
            old->second = value;
        } else {
            items.emplace_back(Value::text(name), value);
        }
    }
    return Value::dict(std::move(items));
}

Value make_namespace(Interpreter& interpreter, const Arguments& arguments)
{
    auto* made = interpreter.make<Namespace>();
    const Value dict = make_dict(interpreter, arguments);
    for (const auto& [name, value] : dict.as_dict()->items) {
        made->set_attribute(to_text(interpreter.budget(), name).text, value);
    }
    return Value(static_cast<Object*>(made));
}

Value raise_exception(Interpreter& interpreter, const Arguments& arguments)
{
    fail("The chat template refuses this conversation: {}",
         to_text(interpreter.budget(), required(arguments, 0, "message", "raise_exception")).text);
}

Value make_joiner(Interpreter& interpreter, const Arguments& arguments)
{
    const Value* separator = arguments.find(0, "sep");
    return Value(static_cast<Object*>(interpreter.make<Joiner>(separator == nullptr ? Value::text(", ") : *separator)));
}

class CyclerMethod final : public Object {
public:
    CyclerMethod(Cycler* cycler, bool resets) : cycler_(cycler), resets_(resets) {}
    std::string type_name() const override { return "method"; }
    bool callable() const override { return true; }
    Value call(Interpreter& /*interpreter*/, const Arguments& /*arguments*/) override
    {
        return resets_ ? cycler_->reset() : cycler_->next();
    }

private:
    Cycler* cycler_;
    bool resets_;
};

Value make_cycler(Interpreter& interpreter, const Arguments& arguments)
{
    if (arguments.positional.empty()) {
        fail_render("at least one item has to be provided");
    }
    // A namespace with the two methods as members, so that both find the one cycler.
    auto* cycler = interpreter.make<Cycler>(arguments.positional);
    auto* face = interpreter.make<Namespace>();
    face->set_attribute("next", Value(static_cast<Object*>(interpreter.make<CyclerMethod>(cycler, false))));
    face->set_attribute("reset", Value(static_cast<Object*>(interpreter.make<CyclerMethod>(cycler, true))));
    return Value(static_cast<Object*>(face));
}

} // namespace

void add_globals(Interpreter& interpreter, const std::string& today)
{
    const auto add = [&](const char* name, Function function) {
        interpreter.assign(name, Value(static_cast<Object*>(interpreter.make<FunctionObject>(function))));
    };
    add("range", range);
    add("dict", make_dict);
    add("namespace", make_namespace);
    add("raise_exception", raise_exception);
    add("joiner", make_joiner);
    add("cycler", make_cycler);
    interpreter.assign("strftime_now", Value(static_cast<Object*>(interpreter.make<StrftimeNow>(today))));
}

} // namespace constela::text::jinja
