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
  RecurrentSeq2Seq model = x.model;
  const auto ask_for = [&](const std::string& part, Tensor RecurrentSeq2Seq::Output::*result) {
    compare(
        what + part, parameters(model), [&] { return mine(x).*result; },
        [&] { return by_steps(model, x.source, x.inputs).*result; });
  };
  if (model.config.alignment) ask_for(": weights", &RecurrentSeq2Seq::Output::weights);
  ask_for(": logits", &RecurrentSeq2Seq::Output::logits);
}

}  // namespace

CHECK_ANSWER() {
  const auto none = std::optional<AlignmentKind>();
  const auto dot = std::optional(AlignmentKind::kScaledDot);
  ask("scaled dot, T = 3, S = 4", make(dot, RecurrentKind::kGru, 2, 3, 4, 3, 1));
  ask("general, T = 5, S = 2, embeddings of about 10000",
      make(AlignmentKind::kGeneral, RecurrentKind::kRnn, 1, 5, 2, 4, 10000));
  ask("no attention, T = 4, S = 3", make(none, RecurrentKind::kGru, 3, 4, 3, 5, 1));
  ask("no attention, no gates", make(none, RecurrentKind::kRnn, 2, 3, 4, 3, 1));
}
