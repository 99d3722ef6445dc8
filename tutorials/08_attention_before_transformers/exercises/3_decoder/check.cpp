#include "pocket/recurrent.h"
#include "tutorials/common/compare.h"

namespace {

using namespace pocket;

/// The decoder step by step.
RecurrentSeq2Seq::Output by_steps(const RecurrentSeq2Seq& model, const IndexTensor& source,
                                  const IndexTensor& inputs) {
  const Tensor h = model.encoder(model.source_embedding(source)), last = slice(h, 1, -1);
  Tensor state = last;
  std::vector<Tensor> features, weights;
  for (Index i = 0; i < inputs.size(1); ++i) {
    const Tensor y = slice(model.target_embedding(inputs), 1, i, i + 1);
    Tensor z = last;
    if (model.config.alignment) {
      const auto [a, context] = model.alignment(state, h);
      z = context, weights.push_back(a);
    }
    state = model.decoder.step_from(model.decoder.ih(concat({y, z}, -1)), state);
    features.push_back(concat({state, z}, -1));
  }
  return {model.output(concat(features, 1)), weights.empty() ? Tensor() : concat(weights, 1)};
}

struct Case {
  RecurrentSeq2Seq model;
  IndexTensor source, inputs;
};

/// A random model, and random tokens. Embeddings are `scale` times as large as usual.
Case make(std::optional<AlignmentKind> kind, RecurrentKind cell, Index rows, Index targets,
          Index sources, Index width, Scalar scale) {
  KeySequence keys(17);
  RecurrentSeq2Seq model({.source_vocab = 6,
                          .target_vocab = 7,
                          .channels = width + 1,
                          .hidden = width,
                          .kind = cell,
                          .alignment = kind,
                          .longest = sources},
                         keys);
  for (Embedding* table : {&model.source_embedding, &model.target_embedding}) {
    table->weight = (table->weight.detach() * scale).set_requires_grad();
  }
  const auto tokens = [&](Index length, const RandomKey& key) {
    Tokens drawn;
    for (Index i = 0; i < rows * length; ++i) drawn.push_back(int(uniform_index(key, i, 6)));
    return IndexTensor({rows, length}, drawn);
  };
  return {model, tokens(sources, {.seed = 4}), tokens(targets, {.seed = 5})};
}

RecurrentSeq2Seq::Output mine(const Case& x) {
  try {
    return x.model(x.source, x.inputs);
  } catch (const std::out_of_range&) {
    gradus::red("each step appends to features and, with attention, to weights");
  }
}

void ask(const std::string& what, const Case& x) {
  std::vector<Tensor> arguments;
  RecurrentSeq2Seq model = x.model;
  for (const NamedTensor& each : parameters(model)) arguments.push_back(each.tensor);
  const auto as = [](const Tensor& t) { return gradus::as_library(t); };
  const auto got = gradus::unchanged<Tensor>(what, arguments, [&] { return mine(x); });
  const auto right = by_steps(model, x.source, x.inputs);
  if (right.weights.defined()) {
    gradus::expect(what + ": weights", as(got.weights), as(right.weights));
  }
  gradus::must_be_finite(what, got.logits);
  gradus::expect(what + ": logits", as(got.logits), as(right.logits), "",
                 1e-4 * gradus::scale_of(right.logits));
}

/// The gradients of all parameters, for random weightings of logits and attention weights.
void ask_gradients(const std::string& what, const Case& x) {
  RecurrentSeq2Seq model = x.model;
  const auto all = [&](const RecurrentSeq2Seq::Output& y) {
    const Tensor flat = reshape(y.logits, {-1});
    return y.weights.defined() ? concat({flat, reshape(y.weights, {-1})}, 0) : flat;
  };
  const auto got = mine(x);
  if (got.weights.defined() && !got.weights.requires_grad()) {
    gradus::red(what + ": the weights are cut: a detach()");
  }
  compare_gradients(what, parameters(model), all(got), all(by_steps(model, x.source, x.inputs)));
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const auto none = std::optional<AlignmentKind>();
    const auto dot = std::optional(AlignmentKind::kScaledDot);
    ask("scaled dot, T = 3, S = 4", make(dot, RecurrentKind::kGru, 2, 3, 4, 3, 1));
    ask("general, T = 5, S = 2, embeddings of about 10000",
        make(AlignmentKind::kGeneral, RecurrentKind::kRnn, 1, 5, 2, 4, 10000));
    ask("no attention, T = 4, S = 3", make(none, RecurrentKind::kGru, 3, 4, 3, 5, 1));
    ask_gradients("gradients, scaled dot", make(dot, RecurrentKind::kGru, 2, 3, 4, 3, 1));
    ask_gradients("gradients, no attention", make(none, RecurrentKind::kRnn, 2, 3, 4, 3, 1));
  });
}
