#include "pocket/recurrent.h"
#include "tutorials/common/guards.h"

namespace {

using namespace pocket;

enum class Slip { kNone, kNoAttention, kFirst, kAverage, kForget, kInput, kFeature, kOldState };

/// The decoder step by step. `slip` is a mistake that readers make.
RecurrentSeq2Seq::Output by_steps(const RecurrentSeq2Seq& model, const IndexTensor& source,
                                  const IndexTensor& inputs, Slip slip = Slip::kNone) {
  const Tensor h = model.encoder(model.source_embedding(source)), last = slice(h, 1, -1);
  Tensor state = last;
  std::vector<Tensor> features, weights;
  for (Index i = 0; i < inputs.size(1); ++i) {
    const Tensor y = slice(model.target_embedding(inputs), 1, i, i + 1);
    Tensor z = last;
    if (model.config.alignment) {
      const auto [a, context] = model.alignment(slip == Slip::kFirst ? last : state, h);
      z = slip == Slip::kAverage       ? mean(h, 1, {.keepdim = true})
          : slip == Slip::kNoAttention ? last
                                       : context;
      weights.push_back(a);
    }
    const Tensor before = slip == Slip::kForget ? last : state;
    const Tensor input = slip == Slip::kInput ? concat({z, y}, -1) : concat({y, z}, -1);
    state = model.decoder.step_from(model.decoder.ih(input), before);
    features.push_back(slip == Slip::kFeature    ? concat({z, state}, -1)
                       : slip == Slip::kOldState ? concat({before, z}, -1)
                                                 : concat({state, z}, -1));
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
  std::vector<std::pair<Slip, const char*>> slips = {
      {Slip::kForget, "every step began at s_0: the new state is the next step's old one"},
      {Slip::kInput, "the input is [y, z], in this order"},
      {Slip::kFeature, "the feature is [state, z], in this order"},
      {Slip::kOldState, "the feature has the new state, not the old one"}};
  if (right.weights.defined()) {
    slips.push_back({Slip::kNoAttention, "z is the last state: attention was not asked"});
    slips.push_back({Slip::kFirst, "ask alignment with the state, not with s_0"});
    slips.push_back({Slip::kAverage, "z is the plain average of h"});
  }
  std::vector<gradus::Cause> of_weights, of_logits;
  for (const auto& [slip, message] : slips) {
    const auto [logits, weights] = by_steps(model, x.source, x.inputs, slip);
    of_weights.push_back({as(weights), message}), of_logits.push_back({as(logits), message});
  }
  if (right.weights.defined()) {
    gradus::expect(what + ": weights", as(got.weights), as(right.weights), of_weights);
  }
  gradus::must_be_finite(what, got.logits);
  const double most = gradus::scale_of(right.logits);
  gradus::expect(what + ": logits", as(got.logits), as(right.logits), of_logits, 1e-4 * most);
}

/// The gradients of all parameters, for random weightings of logits and attention weights.
void ask_gradients(const std::string& what, const Case& x) {
  RecurrentSeq2Seq model = x.model;
  const auto gradients = [&](const RecurrentSeq2Seq::Output& y) {
    Tensor loss = sum(y.logits * normal(y.logits.shape(), {.seed = 8}));
    if (y.weights.defined()) {
      if (!y.weights.requires_grad()) gradus::red(what + ": the weights are cut: a detach()");
      loss = loss + sum(y.weights * normal(y.weights.shape(), {.seed = 9}));
    }
    if (loss.requires_grad()) backward(loss);
    std::vector<Tensor> all;
    for (NamedTensor& p : parameters(model)) {
      all.push_back(p.tensor.grad().defined() ? p.tensor.grad().detach() * Scalar(1)
                                              : zeros(p.tensor.shape()));
      p.tensor.zero_grad();
    }
    return all;
  };
  const std::vector<Tensor> got = gradients(mine(x));
  const std::vector<Tensor> right = gradients(by_steps(model, x.source, x.inputs));
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (gradus::is_close(gradus::as_library(got[i]), gradus::as_library(right[i]), 1e-3)) continue;
    gradus::red(what + ": that of " + parameters(model)[i].name +
                " differs\nlikely cause: it is cut: a detach()");
  }
  gradus::green(what);
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
