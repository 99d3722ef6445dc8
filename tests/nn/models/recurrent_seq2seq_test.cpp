#include "nn/models/recurrent_seq2seq.h"

#include "autograd/inspect/gradcheck.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/shape.h"
#include "nn/names.h"
#include "nn/optim/adam.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

using Config = RecurrentSeq2SeqConfig;

Config small(std::optional<AlignmentKind> alignment, RecurrentKind kind = RecurrentKind::kGru) {
  return {.source_vocab = 7,
          .target_vocab = 5,
          .channels = 3,
          .hidden = 6,
          .kind = kind,
          .alignment = alignment,
          .longest = 5};
}

RecurrentSeq2Seq made(const Config& config) {
  KeySequence keys(1);
  return RecurrentSeq2Seq(config, keys);
}

std::vector<std::optional<AlignmentKind>> all_and_none() {
  std::vector<std::optional<AlignmentKind>> all{std::nullopt};
  for (std::size_t i = 0; i < names_of(AlignmentKind{}).size(); ++i) {
    all.emplace_back(static_cast<AlignmentKind>(i));
  }
  return all;
}

const IndexTensor kSource = indices({{1, 2, 6}, {0, 4, 3}});
const IndexTensor kInputs = indices({{4, 0, 1, 1}, {4, 3, 3, 2}});

}  // namespace

TEST_CASE("seq2seq: logits, and weights that are shares of the source") {
  for (const auto& alignment : all_and_none()) {
    for (const RecurrentKind kind :
         {RecurrentKind::kRnn, RecurrentKind::kLstm, RecurrentKind::kGru}) {
      const auto [logits, weights] = made(small(alignment, kind))(kSource, kInputs);
      CHECK(logits.shape() == Shape{2, 4, 5});
      CHECK(weights.defined() == alignment.has_value());
      if (alignment) {
        CHECK(weights.shape() == Shape{2, 4, 3});
        CHECK_CLOSE(sum(weights, -1), ones({2, 4}));
      }
    }
  }
}

TEST_CASE("seq2seq: a later input changes no earlier logit, bit for bit") {
  for (const auto& alignment : all_and_none()) {
    const RecurrentSeq2Seq model = made(small(alignment));
    IndexTensor changed(kInputs.shape(), kInputs.values());
    changed.mutable_data()[3] = changed.mutable_data()[7] = 0;
    const Tensor a = model(kSource, kInputs).logits, b = model(kSource, changed).logits;
    CHECK(slice(a, 1, 0, 3).values() == slice(b, 1, 0, 3).values());
    CHECK(slice(a, 1, 3).values() != slice(b, 1, 3).values());
  }
}

TEST_CASE("seq2seq: padding of the source changes nothing") {
  const IndexTensor padded = indices({{1, 2, 6, 5, 5}, {0, 4, 3, 5, 5}});
  const IndexTensor mask = indices({{1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}});
  for (const auto& alignment : all_and_none()) {
    for (const bool bidirectional : {false, true}) {
      Config config = small(alignment);
      config.bidirectional = bidirectional;
      const RecurrentSeq2Seq model = made(config);
      const auto plain = model(kSource, kInputs), masked = model(padded, kInputs, mask);
      CHECK_CLOSE(masked.logits, plain.logits);
      CHECK(model.greedy(padded, 4, 4, mask).tokens.values() ==
            model.greedy(kSource, 4, 4).tokens.values());
    }
  }
}

TEST_CASE("seq2seq: what it writes is the most probable under teacher forcing with what it wrote") {
  for (const auto& alignment : all_and_none()) {
    const RecurrentSeq2Seq model = made(small(alignment, RecurrentKind::kLstm));
    const auto [tokens, weights] = model.greedy(kSource, 4, 4);
    IndexTensor inputs(tokens.shape());
    for (Index i = 0; i < 8; ++i) inputs.mutable_data()[i] = i % 4 == 0 ? 4 : tokens.data()[i - 1];
    const auto forced = model(kSource, inputs);
    for (Index i = 0; i < 8; ++i) {
      const Scalar* row = forced.logits.data() + 5 * i;
      CHECK(std::max_element(row, row + 5) - row == tokens.data()[i]);
    }
    if (alignment) CHECK_CLOSE(weights, forced.weights);
  }
}

TEST_CASE("seq2seq: every parameter takes part, and the module names each once") {
  for (const auto& alignment : all_and_none()) {
    RecurrentSeq2Seq model = made(small(alignment));
    backward(sum(model(kSource, kInputs).logits * drawn({2, 4, 5}, 1)));
    for (const NamedTensor& parameter : parameters(model)) {
      CAPTURE(parameter.name);
      REQUIRE(parameter.tensor.grad().defined());
      CHECK(sum(abs(parameter.tensor.grad())).item() > 0);
    }
  }
}

TEST_CASE("seq2seq: wrong use is named") {
  Config odd = small(std::nullopt);
  odd.hidden = 5;
  CHECK_FAILS(made(odd), "hidden must be even for two directions, got 5");
  const RecurrentSeq2Seq model = made(small(std::nullopt));
  CHECK_FAILS(model(kSource, indices({{1}})), "of as many rows as the source [2, 3], got [1, 1]");
  CHECK_FAILS(model.encode(indices({1, 2})), "needs a source [B, S], got [2]");
}

TEST_CASE("seq2seq: with attention it memorises how to turn pairs round") {
  const Config config{.source_vocab = 4,
                      .target_vocab = 5,
                      .channels = 8,
                      .hidden = 16,
                      .alignment = AlignmentKind::kGeneral};
  const IndexTensor source = indices({{0, 1, 2}, {3, 2, 1}, {2, 2, 0}, {1, 0, 3}});
  const IndexTensor inputs = indices({{4, 2, 1}, {4, 1, 2}, {4, 0, 2}, {4, 3, 0}});
  const IndexTensor targets = indices({{2, 1, 0}, {1, 2, 3}, {0, 2, 2}, {3, 0, 1}});
  RecurrentSeq2Seq model = made(config);
  Adam adam(parameters(model));
  for (int step = 0; step < 60; ++step) {
    adam.zero_grad();
    backward(cross_entropy(model(source, inputs).logits, targets));
    adam.step(Scalar(0.02));
  }
  CHECK(model.greedy(source, 4, 3).tokens.values() == targets.values());
}

#ifdef GRADUS_DOUBLE
TEST_CASE("seq2seq: gradients by finite differences, of every parameter") {
  for (const auto& alignment : all_and_none()) {
    RecurrentSeq2Seq model = made(small(alignment));
    std::vector<Shape> shapes;
    for (const NamedTensor& parameter : parameters(model)) {
      shapes.push_back(parameter.tensor.shape());
    }
    check_gradient(
        [&](const Tensors& x) {
          std::size_t next = 0;
          visit_parameters(model, [&](const std::string&, Tensor& p) { p = x[next++]; });
          return model(kSource, kInputs).logits;
        },
        shapes, {.low = -1, .high = 1, .tolerance = 1e-6});
  }
}
#endif
