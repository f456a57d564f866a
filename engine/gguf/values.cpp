// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/values.h"

#include "engine/gguf/printable.h"

#include <array>

namespace constela::gguf {

namespace {

/// gguf_metadata_value_type of the GGUF specification.
enum class ValueType : std::uint32_t {
    Uint8 = 0,
    Int8 = 1,
    Uint16 = 2,
    Int16 = 3,
    Uint32 = 4,
    Int32 = 5,
    Float32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    Uint64 = 10,
    Int64 = 11,
    Float64 = 12,
};

constexpr std::uint32_t kLastValueType = 12;
constexpr std::array<std::string_view, kLastValueType + 1> kValueTypeNames = {
    "uint8", "int8",   "uint16", "int16",  "uint32", "int32",  "float32",
    "bool",  "string", "array",  "uint64", "int64",  "float64"};
/// Bytes that a value takes in the file, at least (an empty string is its length alone).
constexpr std::array<std::uint64_t, kLastValueType + 1> kValueTypeBytes = {1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};

constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 16U;
/// The specification allows keys of 65535 bytes.
constexpr std::uint64_t kLongestKey = 65535;
/// A key's length, a key of one letter, a type and a value of one byte.
constexpr std::uint64_t kLeastKeyBytes = 8 + 1 + 4 + 1;

/// What the values of one file may take together. The largest vocabularies have about 300 000 tokens, as many merges,
/// and some files carry a tokenizer of 35 MB as one text.
struct Budget {
    static constexpr std::uint64_t kElements = std::uint64_t{1} << 23U;
    static constexpr std::uint64_t kTextBytes = std::uint64_t{1} << 28U;
    std::uint64_t elements = kElements;
    std::uint64_t text_bytes = kTextBytes;
};

Result<ValueType> read_type(Reader& reader, const Field& field)
{
    CONSTELA_ASSIGN(const auto number, reader.number<std::uint32_t>(field));
    if (number > kLastValueType) {
        return failure("{}: {} has the value type {}; 0 to {} were expected.", reader.file(), field.text(), number,
                       kLastValueType);
    }
    return static_cast<ValueType>(number);
}

Result<bool> read_bool(Reader& reader, const Field& field)
{
    CONSTELA_ASSIGN(const auto byte, reader.number<std::uint8_t>(field));
    if (byte > 1) {
        return failure("{}: {} is a bool of the value {}; 0 or 1 was expected.", reader.file(), field.text(),
                       unsigned{byte});
    }
    return byte == 1;
}

Result<std::string> read_text(Reader& reader, const Field& field, Budget& budget)
{
    CONSTELA_ASSIGN(std::string text, reader.text(field, budget.text_bytes));
    budget.text_bytes -= text.size();
    return text;
}

template <class Stored, class Wide>
Result<Value> read_number(Reader& reader, const Field& field)
{
    CONSTELA_ASSIGN(const auto number, reader.number<Stored>(field));
    return Value(static_cast<Wide>(number));
}

/// The caller has held the array's bytes against what is left.
template <class Stored, class Wide>
Value read_numbers(Reader& reader, std::uint64_t count)
{
    std::vector<Wide> numbers;
    numbers.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        numbers.push_back(static_cast<Wide>(reader.unchecked<Stored>()));
    }
    return Value(Array(std::move(numbers)));
}

Result<Value> read_bools(Reader& reader, std::string_view key, std::uint64_t count)
{
    std::vector<bool> bools;
    bools.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        CONSTELA_ASSIGN(const bool value, read_bool(reader, {key, i}));
        bools.push_back(value);
    }
    return Value(Array(std::move(bools)));
}

Result<Value> read_texts(Reader& reader, std::string_view key, std::uint64_t count, Budget& budget)
{
    std::vector<std::string> texts;
    texts.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        CONSTELA_ASSIGN(std::string text, read_text(reader, {key, i}, budget));
        texts.push_back(std::move(text));
    }
    return Value(Array(std::move(texts)));
}

Result<Value> read_array(Reader& reader, std::string_view key, Budget& budget)
{
    const Field field{key};
    CONSTELA_ASSIGN(const ValueType type, read_type(reader, field));
    CONSTELA_ASSIGN(const auto count, reader.number<std::uint64_t>(field));
    if (type == ValueType::Array) {
        return failure("{}: {} is an array of arrays; an array of numbers, bools or strings was expected.",
                       reader.file(), field.text());
    }
    const auto index = static_cast<std::size_t>(type);
    if (count > reader.left() / kValueTypeBytes[index]) {
        return failure("{}: {} is an array of {} values of the type {}, but only {} bytes are left in the file; "
                       "the file is cut short or damaged.",
                       reader.file(), field.text(), count, kValueTypeNames[index], reader.left());
    }
    if (count > budget.elements) {
        return failure("{}: {} is an array of {} values; at most {} in all arrays together were expected.",
                       reader.file(), field.text(), count, Budget::kElements);
    }
    budget.elements -= count;
    switch (type) {
    case ValueType::Uint8: return read_numbers<std::uint8_t, std::uint64_t>(reader, count);
    case ValueType::Int8: return read_numbers<std::int8_t, std::int64_t>(reader, count);
    case ValueType::Uint16: return read_numbers<std::uint16_t, std::uint64_t>(reader, count);
    case ValueType::Int16: return read_numbers<std::int16_t, std::int64_t>(reader, count);
    case ValueType::Uint32: return read_numbers<std::uint32_t, std::uint64_t>(reader, count);
    case ValueType::Int32: return read_numbers<std::int32_t, std::int64_t>(reader, count);
    case ValueType::Float32: return read_numbers<float, double>(reader, count);
    case ValueType::Uint64: return read_numbers<std::uint64_t, std::uint64_t>(reader, count);
    case ValueType::Int64: return read_numbers<std::int64_t, std::int64_t>(reader, count);
    case ValueType::Float64: return read_numbers<double, double>(reader, count);
    case ValueType::Bool: return read_bools(reader, key, count);
    case ValueType::String:
    case ValueType::Array: break;
    }
    return read_texts(reader, key, count, budget);
}

Result<Value> read_value(Reader& reader, std::string_view key, Budget& budget)
{
    const Field field{key};
    CONSTELA_ASSIGN(const ValueType type, read_type(reader, field));
    switch (type) {
    case ValueType::Uint8: return read_number<std::uint8_t, std::uint64_t>(reader, field);
    case ValueType::Int8: return read_number<std::int8_t, std::int64_t>(reader, field);
    case ValueType::Uint16: return read_number<std::uint16_t, std::uint64_t>(reader, field);
    case ValueType::Int16: return read_number<std::int16_t, std::int64_t>(reader, field);
    case ValueType::Uint32: return read_number<std::uint32_t, std::uint64_t>(reader, field);
    case ValueType::Int32: return read_number<std::int32_t, std::int64_t>(reader, field);
    case ValueType::Float32: return read_number<float, double>(reader, field);
    case ValueType::Uint64: return read_number<std::uint64_t, std::uint64_t>(reader, field);
    case ValueType::Int64: return read_number<std::int64_t, std::int64_t>(reader, field);
    case ValueType::Float64: return read_number<double, double>(reader, field);
    case ValueType::Bool: {
        CONSTELA_ASSIGN(const bool value, read_bool(reader, field));
        return Value(value);
    }
    case ValueType::String: {
        CONSTELA_ASSIGN(std::string text, read_text(reader, field, budget));
        return Value(std::move(text));
    }
    case ValueType::Array: break;
    }
    return read_array(reader, key, budget);
}

} // namespace

Result<std::map<std::string, Value, std::less<>>> read_values(Reader& reader, std::uint64_t count)
{
    if (count > kMostKeys) {
        return failure("{}: metadata_kv_count is {}; at most {} was expected.", reader.file(), count, kMostKeys);
    }
    if (count > reader.left() / kLeastKeyBytes) {
        return failure("{}: metadata_kv_count is {}, but the {} bytes that are left hold at most {} keys.",
                       reader.file(), count, reader.left(), reader.left() / kLeastKeyBytes);
    }
    std::map<std::string, Value, std::less<>> values;
    Budget budget;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Field field{"metadata_kv", i, "key"};
        CONSTELA_ASSIGN(std::string key, reader.text(field, kLongestKey));
        if (key.empty() || !is_clean_text(key)) {
            return failure("{}: {} is \"{}\"; a name in UTF-8 without control characters was expected.", reader.file(),
                           field.text(), printable(key));
        }
        if (values.contains(key)) {
            return failure("{}: the key {} stands there twice; each key was expected once.", reader.file(),
                           printable(key));
        }
        CONSTELA_ASSIGN(Value value, read_value(reader, key, budget));
        values.emplace(std::move(key), std::move(value));
    }
    return values;
}

} // namespace constela::gguf
