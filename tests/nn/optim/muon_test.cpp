#include "nn/optim/muon.h"

#include <cmath>

#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "nn/models/bert.h"
#include "nn/models/classifier.h"
#include "nn/models/gpt.h"
#include "nn/models/transformer.h"
#include "nn/models/vision_transformer.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

Tensor with_gradient(const Tensor& values, const Tensor& gradient) {
  Tensor w = values.clone().set_requires_grad();
  w.set_grad(gradient);
  return w;
}

/// The matrices of a model that AdamW updates in Muon, in the order of the fields.
template <class Module>
std::string left_to_adamw(Module&& module) {
  const std::vector<NamedTensor> all = trainable(parameters(module));
  std::string names;
  for (const NamedTensor& kept : Muon(all).state()) {
    const bool first_moment = kept.name.starts_with("exp_avg.");
    if (first_moment && kept.tensor.rank() == 2) names += kept.name.substr(8) + " ";
  }
  return names;
}

/// One iteration's polynomial on a singular value.
double once(double s) { return 3.4445 * s - 4.7750 * std::pow(s, 3) + 2.0315 * std::pow(s, 5); }

}  // namespace

TEST_CASE("newton_schulz: works on each singular value of a diagonal matrix by itself") {
  const double norm = std::sqrt(1 + 0.0625) + 1e-7;
  const Tensor y = newton_schulz(tensor({{1, 0, 0}, {0, Scalar(0.25), 0}}), 2);
  CHECK(y.shape() == Shape{2, 3});
  CHECK(y.at({0, 0}) == doctest::Approx(once(once(1 / norm))).epsilon(kSameMaths));
  CHECK(y.at({1, 1}) == doctest::Approx(once(once(0.25 / norm))).epsilon(kSameMaths));
  CHECK(y.at({0, 1}) == 0);
  CHECK(y.at({1, 2}) == 0);
}

TEST_CASE("newton_schulz: five iterations come near an orthogonal matrix, wide or tall") {
  const Tensor x = drawn({5, 11}, 1);
  const Tensor y = newton_schulz(x);
  const Tensor gram = matmul(y, y, {.b = true});
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 5; ++j) {
      CHECK(gram.at({i, j}) == doctest::Approx(i == j).epsilon(0.5));
      CHECK(std::abs(gram.at({i, j}) - (i == j)) < 0.5);
    }
  }
  CHECK_CLOSE(newton_schulz(transpose(x)), transpose(y), 100 * kSameMaths);
  CHECK_FAILS(newton_schulz(zeros({3})), "needs a matrix, got [3]");
}

TEST_CASE("newton_schulz: squares that overflow or vanish, and norms that are not finite") {
  const Tensor x = drawn({3, 4}, 1);
  const Scalar large = std::sqrt(std::numeric_limits<Scalar>::max()) * 10;
  // The 1e-7 that is added to the norm matters only for the small matrix.
  CHECK_CLOSE(newton_schulz(x * large), newton_schulz(x), std::max(10 * kSameMaths, 1e-6));
  for (const Scalar wrong : {kNaN, kInf}) {
    CHECK_FAILS(newton_schulz(full({2, 3}, wrong)), "newton_schulz: the norm of x must be finite");
  }
  CHECK_FAILS(newton_schulz(x, -1), "newton_schulz: iterations must not be negative, got -1");
}

TEST_CASE("newton_schulz: zeros stay zeros") {
  CHECK(newton_schulz(zeros({2, 3})).values() == Values(6, 0));
}

TEST_CASE("muon: a matrix takes an orthogonal step, whatever the gradient's size") {
  const Tensor g = drawn({3, 12}, 2);
  const Tensor w = with_gradient(zeros({3, 12}), g * Scalar(1000));
  Muon muon({{"w", w}});
  muon.step(Scalar(0.5));
  CHECK_CLOSE(w, newton_schulz(g) * Scalar(-0.5 * 2), 1e-6);  // sqrt(12 / 3)
}

TEST_CASE("muon: with momentum, Nesterov's or not, and decay") {
  for (const bool nesterov : {false, true}) {
    const Tensor g1 = drawn({5, 3}, 3), g2 = drawn({5, 3}, 4), start = drawn({5, 3}, 5);
    Tensor w = with_gradient(start, g1);
    Muon muon({{"w", w}}, {.momentum = 0.5, .nesterov = nesterov, .weight_decay = 0.5});
    muon.step(Scalar(0.25));
    w.set_grad(g2);
    muon.step(Scalar(0.25), Scalar(2));
    const Tensor v1 = g1, v2 = v1 * 0.5 + g2 * 2;
    const Tensor u1 = nesterov ? g1 + v1 * 0.5 : v1;
    const Tensor u2 = nesterov ? g2 * 2 + v2 * 0.5 : v2;
    const Tensor after_one = start * Scalar(0.875) - newton_schulz(u1) * 0.25;
    CHECK_CLOSE(w, after_one * Scalar(0.875) - newton_schulz(u2) * 0.25, 100 * kSameMaths);
  }
}

TEST_CASE("muon: leaves vectors and embeddings to AdamW, skips parameters without a gradient") {
  const Tensor g = drawn({3, 5}, 6);
  const Tensor bias = with_gradient(zeros({5}), drawn({5}, 7));
  const Tensor table = with_gradient(ones({3, 5}), g);
  const Tensor idle = ones({3, 5}).set_requires_grad();
  const Tensor bias2 = with_gradient(zeros({5}), drawn({5}, 7));
  const Tensor table2 = with_gradient(ones({3, 5}), g);
  Muon muon({{"idle", idle}, {"bias", bias}, {"wte.weight", table, Role::kOuter}},
            {.adamw_rate = 0.5});
  AdamW adamw({{"bias", bias2}, {"wte.weight", table2}}, {});
  for (int i = 0; i < 2; ++i) {
    muon.step(Scalar(0.5));
    adamw.step(Scalar(0.25));
  }
  CHECK(bias.values() == bias2.values());
  CHECK(table.values() == table2.values());
  CHECK(idle.values() == Values(15, 1));
  std::string names;
  for (const NamedTensor& kept : muon.state()) names += kept.name + " ";
  CHECK(names ==
        "exp_avg.bias exp_avg_sq.bias exp_avg.wte.weight exp_avg_sq.wte.weight "
        "momentum_buffer.idle ");
}

TEST_CASE("muon: leaves the embeddings and output layers of every model to AdamW") {
  const LayerOptions layer{
      .d_model = 6, .num_heads = 2, .position = Position::kLearned, .max_length = 5};
  GptConfig gpt{.vocab_size = 5, .n_positions = 4, .n_layer = 1, .n_head = 2, .n_embd = 6};
  CHECK(left_to_adamw(Gpt(gpt)) == "transformer.wte.weight transformer.wpe.weight ");
  gpt.tied = false;
  gpt.position = Position::kRelative;
  CHECK(left_to_adamw(Gpt(gpt)) ==
        "transformer.wte.weight transformer.wpe.distances lm_head.weight ");
  CHECK(left_to_adamw(Bert({.vocab_size = 5, .n_layer = 1, .n_labels = 3, .layer = layer})) ==
        "bert.embeddings.word_embeddings.weight bert.embeddings.position_embeddings.weight "
        "bert.embeddings.token_type_embeddings.weight classifier.weight ");
  CHECK(
      left_to_adamw(Transformer({.src_vocab = 5, .trg_vocab = 7, .n_layer = 1, .layer = layer})) ==
      "src_embed.weight trg_embed.weight encoder.positions.weight decoder.positions.weight "
      "out.weight ");
  CHECK(left_to_adamw(
            SequenceClassifier({.vocab_size = 5, .n_labels = 3, .n_layer = 1, .layer = layer})) ==
        "embed.weight encoder.positions.weight head.weight ");
  CHECK(left_to_adamw(VisionTransformer({.height = 4, .width = 4, .patch = 2, .layer = layer})) ==
        "embed.weight class_token encoder.positions.weight head.weight ");
}

TEST_CASE("muon: state and step count are all that a resumed run needs") {
  const auto list = [](const Tensor& w, const Tensor& b) {
    return std::vector<NamedTensor>{{"w", w}, {"b", b}};
  };
  const Tensor w = with_gradient(drawn({3, 5}, 8), drawn({3, 5}, 9));
  const Tensor b = with_gradient(drawn({5}, 10), drawn({5}, 11));
  Muon muon(list(w, b));
  muon.step(Scalar(0.1));
  const Tensor w2 = with_gradient(w, drawn({3, 5}, 12)), b2 = with_gradient(b, drawn({5}, 13));
  Muon other(list(w2, b2));
  other.set_steps(muon.steps());
  for (std::size_t i = 0; i < muon.state().size(); ++i) {
    const Tensor from = muon.state()[i].tensor;
    std::copy(from.begin(), from.end(), other.state()[i].tensor.mutable_data());
  }
  Tensor(w).set_grad(drawn({3, 5}, 12));
  Tensor(b).set_grad(drawn({5}, 13));
  muon.step(Scalar(0.1));
  other.step(Scalar(0.1));
  CHECK(w.values() == w2.values());
  CHECK(b.values() == b2.values());
}

TEST_CASE("muon: wrong settings are named") {
  CHECK_FAILS(Muon({}, {.momentum = 1}), "momentum must be in [0, 1), got 1");
  CHECK_FAILS(Muon({}, {.iterations = 0}), "iterations must be at least 1, got 0");
  CHECK_FAILS(Muon({}, {.weight_decay = -1}), "muon: weight_decay must be finite and not negative");
  CHECK_FAILS(Muon({}, {.adamw_rate = -1}), "muon: adamw_rate must be finite and not negative");
}
