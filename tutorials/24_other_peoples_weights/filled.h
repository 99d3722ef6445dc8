/// @file
/// Chapter 24: a GPT filled rightly, and wrongly in many ways that no check stops.
#pragma once

#include <cctype>

#include "tutorials/24_other_peoples_weights/judge.h"

// [opening]
/// A model's text after "The fox", on one line; a byte that does not print becomes a '?'.
inline std::string writes(const Gpt& model, Index n, const RandomKey& key = {1}) {
  const Gpt2Tokenizer tokenizer(kGpt);
  const Tokens more = generate(model, tokenizer.encode("The fox"), n, {.temperature = 0.5}, key);
  std::string text = tokenizer.pairs.decode(more);
  std::replace(text.begin(), text.end(), '\n', ' ');
  for (char& c : text) c = std::isprint(static_cast<unsigned char>(c)) ? c : '?';
  return text;
}

/// Copies all numbers of the file, one after the other, into the model's parameters.
inline void fill_in_order(Gpt& model, const NamedTensors& theirs) {
  std::vector<Scalar> numbers;
  for (const auto& [name, x] : theirs) {
    if (!name.ends_with(".attn.bias")) numbers.insert(numbers.end(), x.begin(), x.end());
  }
  check(std::ssize(numbers) == count(parameters(model)), "the file has a different count");
  const Scalar* next = numbers.data();
  visit_parameters(model, [&](const std::string&, Tensor& x) {
    std::copy_n(next, x.size(), x.mutable_data());
    next += x.size();
  });
}

inline void opening(const Judge& judge) {
  const Part part("opening");
  const NamedTensors theirs = read_safetensors(kGpt + "/model.safetensors");
  NamedTensors turned = from_gpt2(theirs);
  for (auto& [name, x] : turned) {
    if (name.ends_with("attn.output.weight")) x = permute(x, {1, 0});
  }
  Gpt in_order = new_gpt2(kGpt), transposed = new_gpt2(kGpt);
  fill_in_order(in_order, theirs);
  fill(transposed, turned);
  const Gpt right = read_gpt2(kGpt);
  const auto show = [&](const char* what, const Gpt& model) {
    std::printf("%-22s %.3f  The fox%s\n", what, judge.loss(std::cref(model)),
                writes(model, 24).c_str());
  };
  std::printf("%-22s loss   writes\n", "numbers copied");
  show("in the file's order", in_order);
  show("attn.c_proj transposed", transposed);
  show("matched by name", right);
  std::printf("%-22s %.3f\n", "ln V", std::log(double(right.config.vocab_size)));
}
// [opening]

// [names]
inline void names() {
  const Part part("names");
  const NamedTensors theirs = read_safetensors(kGpt + "/model.safetensors");
  Gpt model = new_gpt2(kGpt);
  const auto ours = from_gpt2(theirs);
  const auto attempt = [&](const char* what, const NamedTensors& tensors) {
    std::string said = "every parameter has its tensor";
    try {
      fill(model, tensors);
    } catch (const std::exception& error) {
      said = error.what();
    }
    std::printf("%-24s %s\n", what, said.c_str());
  };
  std::printf("%d tensors in the file, %d in the model\n", int(theirs.size()),
              int(parameters(model).size()));
  attempt("under their own names", theirs);
  NamedTensors less = ours, more = ours, other = ours;
  less.erase("h.1.ln_2.bias");
  more["lm_head.weight"] = ours.at("wte.weight");
  other["h.0.mlp.c_fc.weight"] = permute(ours.at("h.0.mlp.c_fc.weight"), {1, 0});
  attempt("one is missing", less);
  attempt("one is left over", more);
  attempt("one is transposed", other);
  attempt("renamed, c_attn cut", ours);
}
// [names]

// [mistakes]
using Change = std::function<void(NamedTensors& ours)>;

inline Change exchange(const std::string& one, const std::string& other) {
  return [=](NamedTensors& tensors) {
    tensors = renamed(tensors, {{one, "?"}, {other, one}, {"?", other}});
  };
}

inline void transpose(NamedTensors& tensors, const std::string& ending) {
  for (auto& [name, x] : tensors) {
    if (name.ends_with(ending)) x = permute(x, {1, 0});
  }
}

/// The first third of c_attn's numbers as the queries' matrix, and so on: the shapes fit.
inline void cut_by_rows(NamedTensors& tensors) {
  for (const std::string block : {"h.0.attn.", "h.1.attn."}) {
    Tensor& q = tensors[block + "query.weight"];
    Tensor &k = tensors[block + "key.weight"], &v = tensors[block + "value.weight"];
    const auto parts = split(reshape(concat({q, k, v}, 1), {3, q.size(0), q.size(1)}), 3, 0);
    const Shape shape = q.shape();
    q = reshape(parts[0], shape), k = reshape(parts[1], shape), v = reshape(parts[2], shape);
  }
}

inline void no_bias(NamedTensors& tensors, const std::string& part) {
  for (auto& [name, x] : tensors) {
    if (name.ends_with("attn." + part + ".bias")) x = zeros(x.shape());
  }
}

/// The parts' biases, drawn at random: a control.
inline void random_bias(NamedTensors& tensors, const std::string& part, Scalar scale) {
  KeySequence keys(24);
  for (auto& [name, x] : tensors) {
    if (name.ends_with("attn." + part + ".bias")) x = normal(x.shape(), keys.next(), 0, scale);
  }
}

inline double largest_bias(const NamedTensors& tensors, const std::string& part) {
  double most = 0;
  for (const auto& [name, x] : tensors) {
    if (name.ends_with("attn." + part + ".bias")) most = std::max(most, apart(x, zeros(x.shape())));
  }
  return most;
}

inline void mistakes(const Judge& judge) {
  const auto show = [&](const char* what, const Change& change) {
    NamedTensors ours = from_gpt2(read_safetensors(kGpt + "/model.safetensors"));
    change(ours);
    Gpt model = new_gpt2(kGpt);
    fill(model, ours);
    const Logits logits = std::cref(model);
    std::printf("%-23s %12s  %.3f\n", what, shown(judge.distance(logits)).c_str(),
                judge.loss(logits));
  };
  const std::pair<const char*, Change> rows[] = {
      {"none", [](NamedTensors&) {}},
      {"attn.c_proj transposed", [](NamedTensors& x) { transpose(x, "attn.output.weight"); }},
      {"q, k, v transposed",
       [](NamedTensors& x) {
         for (const char* each : {"query", "key", "value"}) {
           transpose(x, std::string("attn.") + each + ".weight");
         }
       }},
      {"c_attn cut by rows", cut_by_rows},
      {"query, key exchanged", exchange("query", "key")},
      {"query, value exchanged", exchange("query", "value")},
      {"ln_1, ln_2 exchanged", exchange("ln_1", "ln_2")},
      {"blocks 0, 1 exchanged", exchange("h.0", "h.1")},
      {"c_attn's bias set to 0",
       [](NamedTensors& x) { no_bias(x, "query"), no_bias(x, "key"), no_bias(x, "value"); }}};
  const std::pair<const char*, Change> thirds[] = {
      {"without the query's", [](NamedTensors& x) { no_bias(x, "query"); }},
      {"without the key's", [](NamedTensors& x) { no_bias(x, "key"); }},
      {"without the value's", [](NamedTensors& x) { no_bias(x, "value"); }},
      {"the key's random", [](NamedTensors& x) { random_bias(x, "key", 5); }}};
  {
    const Part part("mistakes");
    std::printf("%-23s logits apart   loss\n", "mistake");
    for (const auto& [what, change] : rows) show(what, change);
  }
  const Part part("thirds");
  std::printf("thirds of c_attn's bias logits apart   loss\n");
  for (const auto& [what, change] : thirds) show(what, change);
  const NamedTensors right = from_gpt2(read_safetensors(kGpt + "/model.safetensors"));
  std::printf("largest bias: the query's %.2f, the key's %.2f, the value's %.2f\n",
              largest_bias(right, "query"), largest_bias(right, "key"),
              largest_bias(right, "value"));
}
// [mistakes]
