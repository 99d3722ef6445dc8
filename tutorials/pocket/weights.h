//! [24 flat_json]
// Reads and writes parameters in the format of other programs.
#pragma once

#include <cstring>

#include "gpt.h"

namespace pocket {

using Flat = std::map<std::string, std::string>;  // a value by its path, such as "wte/shape/0"

/// The strings and numbers of a JSON text, by path. The path of a list has "[]", the path of an
/// object "{}". Strings keep their escapes.
inline Flat flat_json(std::string_view text) {
  Flat values;
  std::size_t at = 0;
  const auto peek = [&] {  // the next character that is not a space
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    check(at < text.size(), "json: ends early");
    return text[at];
  };
  const auto piece = [&] {  // a string without its quotation marks, or a number
    const bool quoted = peek() == '"';
    const std::size_t begin = at += quoted;
    const std::string end = quoted ? "\"" : ",:]} \t\r\n";
    while (at < text.size() && end.find(text[at]) == end.npos) at += 1 + (text[at] == '\\');
    check(at < text.size() && (quoted || at > begin), "json: ends early, or lacks a value");
    return std::string(text.substr(begin, (at += quoted) - quoted - begin));
  };
  const auto keep = [&](const std::string& path, const std::string& value) {
    check(values.emplace(path, value).second, "json: has ", path, " twice");
  };
  const std::function<void(const std::string&, int)> read = [&](const std::string& path, int deep) {
    check(deep < 16, "json: is too deep");
    if (peek() != '{' && text[at] != '[') return keep(path, piece());
    const char close = text[at++] == '{' ? '}' : ']';
    if (deep > 0) keep(path, close == '}' ? "{}" : "[]");
    for (int i = 0; peek() != close; ++i) {
      if (i > 0) check(text[at] == ',', "json: got ", text[at], ", not a comma"), ++at;
      const std::string name = close == '}' ? piece() : std::to_string(i);
      if (close == '}') check(peek() == ':', "json: got ", text[at], " after ", name), ++at;
      read(path.empty() ? name : path + "/" + name, deep + 1);
    }
    ++at;
  };
  read("", 0);
  check(text.find_first_not_of(" \t\r\n", at) == text.npos, "json: goes on after its end");
  return values;
}
//! [24 flat_json]

//! [24 value_at]
/// Returns the value at a path, or "nothing".
inline std::string value_at(const Flat& values, const std::string& path) {
  return values.contains(path) ? values.at(path) : "nothing";
}

/// A size or an offset: only digits.
inline Index whole(const Flat& values, const std::string& path) {
  const std::string text = value_at(values, path);
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  check(digits && 0 < text.size() && text.size() < 19, path, ": ", text, " is no size");
  return std::stoll(text);
}
//! [24 value_at]

//! [24 read_tensor]
constexpr Index kMost = Index(1) << 60;  // numbers: their count of bytes fits in 64 bits

/// The tensor that the header describes under this name. Nothing in the header is trusted.
inline Tensor read_tensor(const Flat& header, const std::string& name, std::string_view data) {
  //! [24.1]
  const Index begin = whole(header, name + "/data_offsets/0");
  const Index end = whole(header, name + "/data_offsets/1"), bytes = std::ssize(data);
  const std::string dtype = value_at(header, name + "/dtype");
  check(dtype == "F32", name, ": can read F32, not ", dtype);
  check(begin <= end && end <= bytes, name, ": bytes ", begin, " to ", end, " of ", bytes);
  check(value_at(header, name + "/shape") == "[]", name, ": has no shape");
  Shape shape;
  Index product = 1;  // of the sizes other than 0, which must not hide them
  for (int i = 0; header.contains(name + "/shape/" + std::to_string(i)); ++i) {
    const Index n = whole(header, name + "/shape/" + std::to_string(i));
    check(n == 0 || product <= kMost / n, name, ": ", shape, " times ", n, " is too large");
    shape.push_back(n);
    product *= std::max<Index>(n, 1);
  }
  check(4 * shape.size() == end - begin, name, ": ", shape, " in ", end - begin, " bytes");
  std::vector<float> numbers(shape.size());
  std::copy_n(data.data() + begin, end - begin, reinterpret_cast<char*>(numbers.data()));
  return tensor(shape, {numbers.begin(), numbers.end()});
  //! [24.1]
}
//! [24 read_tensor]

//! [24 read_safetensors]
using NamedTensors = std::map<std::string, Tensor>;

/// All tensors of a file. Each byte of the data belongs to exactly one of them.
inline NamedTensors read_safetensors(const std::string& path) {
  const std::string file = read_text(path);
  std::uint64_t length = 0;
  std::copy_n(file.data(), std::min<std::size_t>(8, file.size()), reinterpret_cast<char*>(&length));
  check(file.size() >= 8 && length <= file.size() - 8, path, ": ends before its header does");
  const Flat header = flat_json(std::string_view(file).substr(8, length));
  const std::string_view data = std::string_view(file).substr(8 + length);
  NamedTensors tensors;
  std::vector<std::pair<Index, Index>> spans;  // where each tensor begins, and its size in bytes
  for (const auto& [name, value] : header) {
    if (value != "{}" || name.starts_with("__metadata__")) continue;
    tensors[name] = read_tensor(header, name, data);
    spans.push_back({whole(header, name + "/data_offsets/0"), 4 * tensors[name].size()});
  }
  std::ranges::sort(spans);
  spans.push_back({std::ssize(data), 0});
  for (Index end = 0; const auto& span : spans) {
    check(span.first == end, path, ": tensors overlap, or leave a gap, at byte ", end);
    end += span.second;
  }
  return tensors;
}
//! [24 read_safetensors]

//! [24 renamed]
/// The tensors under other names: in each name `theirs` becomes `ours`, rule after rule.
inline NamedTensors renamed(const NamedTensors& tensors,
                            const std::vector<std::pair<std::string, std::string>>& rules) {
  NamedTensors result;
  for (const auto& each : tensors) {
    std::string name = each.first;
    for (const auto& [theirs, ours] : rules) {
      if (name.find(theirs) != name.npos) name.replace(name.find(theirs), theirs.size(), ours);
    }
    check(result.emplace(name, each.second).second, "weights: two tensors become ", name);
  }
  return result;
}
//! [24 renamed]

//! [24 fill]
/// Gives each parameter of the model the tensor with its name. Each tensor must be used.
template <class Module>
void fill(Module& model, NamedTensors tensors) {
  //! [24.2]
  visit_parameters(model, [&](const std::string& name, Tensor& x) {
    const Tensor found = tensors[name];
    check(found.defined(), "weights: nothing for ", name);
    check(found.shape() == x.shape(), name, ": is ", x.shape(), ", not ", found.shape());
    x = tensor(x.shape(), {found.begin(), found.end()}).set_requires_grad();
    tensors.erase(name);
  });
  for (const auto& each : tensors) check(false, "weights: no place for ", each.first);
  //! [24.2]
}
//! [24 fill]

//! [24 write_safetensors]
inline void write_safetensors(const std::string& path, const NamedTensors& tensors) {
  std::string header = R"({"__metadata__":{"format":"pt"})", data;
  for (const auto& [name, x] : tensors) {
    const std::vector<float> numbers(x.begin(), x.end());
    std::string sizes, begin = std::to_string(data.size());
    data.append(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size());
    for (const Index n : x.shape()) sizes += (sizes.empty() ? "" : ",") + std::to_string(n);
    header += ",\"" + name + R"(":{"dtype":"F32","shape":[)" + sizes + R"(],"data_offsets":[)" +
              begin + "," + std::to_string(data.size()) + "]}";
  }
  header += "}", header.resize((header.size() + 7) / 8 * 8, ' ');  // the data begins at 8 n
  const std::uint64_t length = header.size();
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&length), 8) << header << data;
  check(file.flush().good(), "safetensors: cannot write ", path);
}

}  // namespace pocket
//! [24 write_safetensors]
