#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "autograd/graph.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "nn/layers/layers.h"
#include "nn/names.h"
#include "nn/optim/make_optimiser.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

const double kTight = sizeof(Scalar) == 8 ? 1e-13 : 1e-6;

doctest::Approx near(double value) { return doctest::Approx(value).epsilon(kTight); }

/// A parameter that already has a gradient.
Tensor parameter(const Shape& shape, const std::vector<Scalar>& values,
                 const std::vector<Scalar>& gradient) {
  Tensor x = tensor(shape, values).set_requires_grad();
  x.set_grad(tensor(shape, gradient));
  return x;
}

}  // namespace

TEST_CASE("adamw: the first step has the size of the rate, whatever the gradient's") {
  const Tensor w = parameter({3}, {1, 2, 3}, {Scalar(0.001), -5, 0});
  AdamW adamw({{"w", w}}, {.weight_decay = 0.1});
  adamw.step(Scalar(0.5));
  CHECK(w.at({0}) == near(1 - 0.5 * 0.001 / (0.001 + 1e-8)));
  CHECK(w.at({1}) == near(2 + 0.5 * 5 / (5 + 1e-8)));
  CHECK(w.at({2}) == 3);  // a vector: no decay
  CHECK(adamw.steps() == 1);
}

TEST_CASE("adamw: matrices decay, apart from the gradient") {
  const Tensor w = parameter({1, 2}, {1, -2}, {0, 1});
  AdamW adamw({{"w", w}}, {.weight_decay = 0.2});
  adamw.step(Scalar(0.5));
  CHECK(w.at({0, 0}) == near(0.9));
  CHECK(w.at({0, 1}) == near(-1.8 - 0.5 / (1 + 1e-8)));
}

TEST_CASE("adamw: two steps worked by hand, with the gradient scaled") {
  // g = 2 and then -6, halved: m = 0.1, -0.21; v = 0.01, 0.0999; bias corrections 0.1, 0.19 and
  // 0.01, 0.0199.
  Tensor w = parameter({1}, {0}, {2});
  AdamW adamw({{"w", w}}, {.beta1 = 0.9, .beta2 = 0.99, .epsilon = 0.5, .weight_decay = 0});
  adamw.step(1, Scalar(0.5));
  const double first = -1 / 1.5;
  CHECK(w.item() == near(first));
  w.set_grad(tensor({1}, {-6}));
  adamw.step(1, Scalar(0.5));
  CHECK(w.item() == near(first + (0.21 / 0.19) / (std::sqrt(0.0999 / 0.0199) + 0.5)));
  CHECK(adamw.state()[0].name == "exp_avg.w");
  CHECK(adamw.state()[0].tensor.item() == near(-0.21));
  CHECK(adamw.state()[1].name == "exp_avg_sq.w");
  CHECK(adamw.state()[1].tensor.item() == near(0.0999));
}

TEST_CASE("adamw: state and step count are all that a resumed run needs") {
  const auto make = [] { return normal({5, 7}, {.seed = 1}).set_requires_grad(); };
  const auto do_step = [](Tensor& w, AdamW& adamw) {
    adamw.zero_grad();
    backward(sum(w * w * w));
    adamw.step(Scalar(0.01));
  };
  Tensor w = make();
  AdamW adamw({{"w", w}}, {});
  for (int i = 0; i < 3; ++i) do_step(w, adamw);
  Tensor resumed = w.clone().set_requires_grad();
  AdamW other({{"w", resumed}}, {});
  other.set_steps(adamw.steps());
  for (std::size_t i = 0; i < 2; ++i) {
    const Tensor from = adamw.state()[i].tensor;
    std::copy(from.begin(), from.end(), other.state()[i].tensor.mutable_data());
  }
  do_step(w, adamw);
  do_step(resumed, other);
  CHECK(w.values() == resumed.values());
}

TEST_CASE("sgd: with momentum as in PyTorch, without none is kept") {
  Tensor w = parameter({1}, {1}, {2});
  Sgd sgd({{"w", w}}, {.momentum = 0.5});
  sgd.step(Scalar(0.25));  // v = 2
  CHECK(w.item() == Scalar(0.5));
  sgd.step(Scalar(0.25), Scalar(0.5));  // v = 1 + 1
  CHECK(w.item() == 0);
  CHECK(sgd.state()[0].name == "momentum_buffer.w");
  CHECK(sgd.state()[0].tensor.item() == 2);
  Tensor plain = parameter({1}, {1}, {2});
  Sgd without({{"w", plain}});
  without.step(Scalar(0.25));
  without.step(Scalar(0.25));
  CHECK(plain.item() == 0);
  CHECK(without.state().empty());
}

TEST_CASE("optimiser: a parameter without a gradient stays as it is") {
  Tensor used = parameter({1}, {1}, {1});
  Tensor unused = tensor({1}, {1}).set_requires_grad();
  AdamW adamw({{"used", used}, {"unused", unused}}, {.weight_decay = 0.5});
  adamw.step(1);
  CHECK(unused.item() == 1);
  CHECK(used.item() != 1);
  CHECK(adamw.gradient_norm() == 1);
}

TEST_CASE("optimiser: the gradient norm spans all parameters, and zero_grad forgets") {
  Tensor a = parameter({2}, {0, 0}, {3, 0});
  Tensor b = parameter({1, 1}, {0}, {-4});
  Sgd sgd({{"a", a}, {"b", b}});
  CHECK(sgd.gradient_norm() == 5);
  sgd.zero_grad();
  CHECK(sgd.gradient_norm() == 0);
  CHECK_FALSE(a.grad().defined());
}

TEST_CASE("optimiser: large parameters are shared out among threads without changing a bit") {
  const auto step = [](int threads) {
    const int before = num_threads();
    set_num_threads(threads);
    Tensor w = normal({100'003}, {.seed = 1}).set_requires_grad();
    w.set_grad(normal({100'003}, {.seed = 2}));
    AdamW adamw({{"w", w}}, {});
    const double norm = adamw.gradient_norm();
    adamw.step(Scalar(0.1));
    set_num_threads(before);
    CHECK(norm == doctest::Approx(std::sqrt(100'003.0)).epsilon(0.02));
    return std::pair(norm, w.values());
  };
  CHECK(step(1) == step(3));
}

TEST_CASE("optimiser: step() takes the options' learning rate, step(rate) another") {
  constexpr double kRate = 0.25;
  const OptimiserOptions at_rate{.sgd = {.learning_rate = kRate, .momentum = 0.9},
                                 .rmsprop = {.learning_rate = kRate},
                                 .adam = {.learning_rate = kRate},
                                 .adamw = {.learning_rate = kRate},
                                 .muon = {.learning_rate = kRate}};
  for (std::size_t kind = 0; kind < names_of(OptimiserKind{}).size(); ++kind) {
    CAPTURE(names_of(OptimiserKind{})[kind]);
    const auto stepped = [&](const OptimiserOptions& options, auto step) {
      const Tensor w = parameter({2, 2}, {1, 2, 3, 4}, {1, -1, 2, 1});
      const auto optimiser = make_optimiser(static_cast<OptimiserKind>(kind), {{"w", w}}, options);
      step(*optimiser);
      return w.values();
    };
    const auto by_options = stepped(at_rate, [](Optimiser& o) { o.step(); });
    const auto by_step = stepped({}, [&](Optimiser& o) { o.step(Scalar(kRate)); });
    const auto other = stepped(at_rate, [](Optimiser& o) { o.step(0); });
    CHECK(by_options == by_step);
    CHECK(other == std::vector<Scalar>{1, 2, 3, 4});
    CHECK(by_options != other);
    stepped({}, [](Optimiser& o) {
      CHECK_FAILS(o.step(),
                  "step() needs a learning rate (set learning_rate in the options, or pass "
                  "it: step(rate))");
      CHECK(o.steps() == 0);
    });
  }
}

TEST_CASE("optimiser: a learning rate that no step could take is an error") {
  const Tensor w = parameter({1}, {1}, {1});
  for (const double rate : {-0.1, std::nan(""), HUGE_VAL}) {
    CHECK_FAILS(AdamW({{"w", w}}, {.learning_rate = rate}),
                "learning_rate must be finite and not negative, got ");
  }
  CHECK_FAILS(Muon({{"w", w}}, {.adamw = {.learning_rate = 0.1}}),
              "muon: adamw.learning_rate is not used (set learning_rate; AdamW uses");
}

TEST_CASE("optimiser: a step without any gradient is an error, and no step") {
  const Tensor w = parameter({1}, {1}, {1});
  for (const OptimiserKind kind :
       {OptimiserKind::kSgd, OptimiserKind::kRmsprop, OptimiserKind::kAdam, OptimiserKind::kAdamw,
        OptimiserKind::kMuon}) {
    const auto optimiser = make_optimiser(kind, {{"w", w}});
    Tensor(w).set_grad(ones({1}));
    optimiser->step(0);
    optimiser->zero_grad();
    CHECK_THROWS_WITH_AS(optimiser->step(1),
                         doctest::Contains("optimiser: none of its 1 parameters has a gradient "
                                           "(call backward() between zero_grad() and step())"),
                         std::invalid_argument);
    CHECK(optimiser->steps() == 1);
  }
}

TEST_CASE("optimiser: a decay of 0.999 leaves 0.001 to the newest gradient, rounded once") {
  const auto newest = [](OptimiserKind kind, const std::string& state) {
    const Tensor w = parameter({1}, {1}, {1});
    const auto optimiser = make_optimiser(
        kind, {{"w", w}}, {.rmsprop = {.alpha = 0.999}, .adam = {}, .adamw = {.beta2 = 0.999}});
    optimiser->step(0);
    const auto kept = optimiser->state();
    return std::ranges::find(kept, state + ".w", &NamedTensor::name)->tensor.item();
  };
  CHECK(newest(OptimiserKind::kAdam, "exp_avg_sq") == Scalar(1 - 0.999));
  CHECK(newest(OptimiserKind::kAdam, "exp_avg") == Scalar(1 - 0.9));
  CHECK(newest(OptimiserKind::kAdamw, "exp_avg_sq") == Scalar(1 - 0.999));
  CHECK(newest(OptimiserKind::kRmsprop, "square_avg") == Scalar(1 - 0.999));
}

TEST_CASE("clipping: gradients above the limit shrink to it, others stay") {
  CHECK(clip_scale(4, 1) == near(1 / (4 + 1e-6)));
  CHECK(clip_scale(0.5, 1) == 1);
  CHECK(clip_scale(1e9, 0) == 1);  // no limit
  CHECK(clip_scale(1e9, INFINITY) == 1);
}

TEST_CASE("clipping: a norm that no factor can clip is an error") {
  const auto refuses = [](double norm, double most, const char* message) {
    CHECK_THROWS_WITH_AS(clip_scale(norm, most), doctest::Contains(message), std::invalid_argument);
  };
  for (const double most : {0.0, 1.0}) {
    refuses(NAN, most,
            "clip_scale: the norm of the gradients must be finite and not negative, got");
    refuses(INFINITY, most, "got inf (a gradient is infinite or NaN: leave the step out)");
    refuses(-1, most, "got -1");
  }
  refuses(5, -1, "clip_scale: max_norm must not be negative, got -1 (0 is no limit)");
  refuses(5, NAN, "clip_scale: max_norm must not be negative, got nan");
}

TEST_CASE("optimiser: the norm of gradients whose squares overflow or vanish") {
  using Limits = std::numeric_limits<Scalar>;
  const auto norm_of = [](const std::vector<Scalar>& a, const std::vector<Scalar>& b) {
    const auto like = [](const std::vector<Scalar>& values) {
      return parameter({std::ssize(values)}, std::vector<Scalar>(values.size()), values);
    };
    return Sgd({{"a", like(a)}, {"b", like(b)}}).gradient_norm();
  };
  const Scalar large = std::sqrt(Limits::max()) * 10, small = std::sqrt(Limits::min()) / 10;
  for (const Scalar unit : {large, small, Limits::min(), Limits::denorm_min()}) {
    CHECK(norm_of({3 * unit, 0}, {-4 * unit}) == near(5.0 * unit));
    CHECK(norm_of(std::vector<Scalar>(100, unit), {0}) == near(10.0 * unit));
    CHECK(norm_of(std::vector<Scalar>(100'000, unit), {unit}) == near(std::sqrt(100'001.0) * unit));
  }
  CHECK(norm_of({large, small}, {1}) == near(large));
  CHECK(norm_of({0, 0}, {0}) == 0);
  const Scalar infinity = Limits::infinity(), nan = Limits::quiet_NaN();
  CHECK(norm_of({1, -infinity}, {large}) == infinity);
  CHECK(std::isnan(norm_of({1, nan}, {1})));
  CHECK(std::isnan(norm_of({large, infinity}, {nan})));
}

TEST_CASE("optimiser: gradients whose squares overflow are clipped to the limit") {
  const Tensor w = parameter({100}, std::vector<Scalar>(100), std::vector<Scalar>(100, 1e20));
  Sgd sgd({{"w", w}});
  CHECK(sgd.gradient_norm() == near(1e21));
  sgd.step(1, clip_scale(sgd.gradient_norm(), 1));
  CHECK(w.at({0}) == near(-0.1));
  CHECK(w.at({99}) == near(-0.1));
}

TEST_CASE("optimiser: a rate or a scale that is not finite is refused, and no step") {
  const Tensor w = parameter({1}, {1}, {1});
  Sgd sgd({{"w", w}});
  const Scalar infinity = std::numeric_limits<Scalar>::infinity();
  for (const auto& [rate, scale] :
       {std::pair(infinity, Scalar(1)), std::pair(Scalar(1), -infinity)}) {
    CHECK_THROWS_WITH_AS(sgd.step(rate, scale),
                         doctest::Contains("optimiser: the learning rate and the scale of the "
                                           "gradients must be finite, got "),
                         std::invalid_argument);
  }
  CHECK(sgd.steps() == 0);
  CHECK(w.item() == 1);
}

TEST_CASE("optimiser: wrong use is named") {
  const Tensor w = zeros({1}).set_requires_grad();
  CHECK_THROWS_WITH_AS(Sgd({{"frozen", zeros({1})}}),
                       doctest::Contains("parameter frozen collects no gradient"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(Sgd({{"w", w}}, {.momentum = 1}),
                       doctest::Contains("momentum must be in [0, 1), got 1"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(AdamW({{"w", w}}, {.beta2 = 1}),
                       doctest::Contains("betas must be in [0, 1)"), std::invalid_argument);
  for (const double wrong : {double{NAN}, double{INFINITY}, -1.0}) {
    CHECK_THROWS_AS(Sgd({{"w", w}}, {.momentum = wrong}), std::invalid_argument);
    CHECK_THROWS_AS(Rmsprop({{"w", w}}, {.alpha = wrong}), std::invalid_argument);
    CHECK_THROWS_AS(Rmsprop({{"w", w}}, {.epsilon = wrong}), std::invalid_argument);
    CHECK_THROWS_AS(Adam({{"w", w}}, {.beta1 = wrong}), std::invalid_argument);
    CHECK_THROWS_AS(AdamW({{"w", w}}, {.epsilon = wrong}), std::invalid_argument);
    CHECK_THROWS_AS(AdamW({{"w", w}}, {.weight_decay = wrong}), std::invalid_argument);
  }
  CHECK_THROWS_WITH_AS(AdamW({{"w", w}}, {.epsilon = 0}),
                       doctest::Contains("epsilon must be above 0"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      AdamW({{"w", w}}, {.weight_decay = -1}),
      doctest::Contains("adamw: weight_decay must be finite and not negative, got -1"),
      std::invalid_argument);
}

TEST_CASE("optimiser: a parameter listed twice is refused, a frozen one left alone") {
  Tensor w = tensor({1, 2}).set_requires_grad();
  CHECK_THROWS_WITH_AS(Sgd({{"a", w}, {"b", w}}),
                       doctest::Contains("parameter b is listed twice, first as a"),
                       std::invalid_argument);
  Tensor other = parameter({1}, {1}, {2});
  Sgd sgd({{"w", w}, {"other", other}});
  w.set_requires_grad(false);
  CHECK(sgd.gradient_norm() == 2);
  sgd.step(1);
  CHECK(w.values() == std::vector<Scalar>{1, 2});
  CHECK(other.item() == -1);
  sgd.zero_grad();
  CHECK_FALSE(sgd.has_gradient());
}

namespace {

/// A module with a body and a head, as after pre-training.
struct BodyAndHead {
  Linear body, head;
  explicit BodyAndHead(std::uint64_t seed) {
    KeySequence keys(seed);
    body = Linear(5, 3, keys);
    head = Linear(3, 2, keys);
  }
  void fields(auto&& f) {
    f("body", body);
    f.outer("head", head);
  }
  void learn(std::uint32_t step) const {
    const Tensor x = normal({7, 5}, {.seed = 9, .step = step});
    const Tensor y = matmul(tanh(body(x)), head.weight) + head.bias;
    backward(sum(y * y * y));
  }
};

/// A slow body, and a head that decays twice as much, with its bias.
void slow_body(const NamedTensor& parameter, StepRule& rule) {
  if (parameter.name.starts_with("body.")) {
    rule.rate = 0.25;
  } else {
    rule.decay = 2;
  }
}

}  // namespace

TEST_CASE("optimiser: rules for some parameters are as two optimisers, also after a resumed run") {
  const AdamWOptions options{.weight_decay = 0.1};
  BodyAndHead one(3), two(3);
  AdamW ruled(parameters(one), options);
  ruled.set_rules(slow_body);
  AdamW of_body(parameters(two.body), options);
  // By hand: AdamW decays matrices, so the head's bias is a matrix here.
  two.head.bias = reshape(two.head.bias.detach().clone(), {1, 2}).set_requires_grad();
  AdamW of_head(parameters(two.head), {.weight_decay = 0.2});
  const auto step = [&](Optimiser& optimiser, std::uint32_t i) {
    one.learn(i);
    optimiser.step(Scalar(0.125));
    optimiser.zero_grad();
    two.learn(i);
    of_body.step(Scalar(0.125) * Scalar(0.25));
    of_head.step(Scalar(0.125));
    of_body.zero_grad();
    of_head.zero_grad();
  };
  const auto same = [&] {
    const auto a = parameters(one), b = parameters(two);
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK_MESSAGE(a[i].tensor.values() == b[i].tensor.values(), a[i].name);
    }
  };
  for (std::uint32_t i = 0; i < 3; ++i) step(ruled, i);
  same();
  AdamW resumed(parameters(one), options);
  resumed.set_rules(slow_body);
  resumed.set_steps(ruled.steps());
  const auto from = ruled.state(), to = resumed.state();
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::ranges::copy(from[i].tensor, to[i].tensor.mutable_data());
  }
  for (std::uint32_t i = 3; i < 6; ++i) step(resumed, i);
  same();
}

TEST_CASE("optimiser: a rule that changes nothing changes no bit of any number") {
  for (const char* name : names_of(OptimiserKind{})) {
    OptimiserKind kind{};
    REQUIRE(find_named(name, kind));
    BodyAndHead plain(3), ruled(3), stopped(3);
    const auto a = make_optimiser(kind, parameters(plain)),
               b = make_optimiser(kind, parameters(ruled)),
               c = make_optimiser(kind, parameters(stopped));
    b->set_rules([](const NamedTensor&, StepRule&) {});
    c->set_rules([](const NamedTensor&, StepRule& rule) { rule.rate = 0; });
    for (const auto& [module, optimiser] :
         {std::pair(&plain, &a), std::pair(&ruled, &b), std::pair(&stopped, &c)}) {
      module->learn(1);
      (*optimiser)->step(Scalar(0.125));
    }
    const BodyAndHead begun(3);
    for (std::size_t i = 0; i < parameters(plain).size(); ++i) {
      CHECK_MESSAGE(parameters(plain)[i].tensor.values() == parameters(ruled)[i].tensor.values(),
                    name);
      CHECK_MESSAGE(parameters(stopped)[i].tensor.values() == parameters(begun)[i].tensor.values(),
                    name);
    }
  }
}

TEST_CASE("optimiser: an invalid rule is refused, and none is changed") {
  const BodyAndHead module(3);
  Adam adam(parameters(module));
  const auto refuses = [&](double rate, double decay) {
    CHECK_THROWS_WITH_AS(adam.set_rules([&](const NamedTensor& p, StepRule& rule) {
      if (p.name == "head.bias") rule = {rate, decay};
    }),
                         doctest::Contains("the rate and decay of head.bias must be finite and not "
                                           "negative, got "),
                         std::invalid_argument);
  };
  refuses(-1, 1);
  refuses(1, -1);
  refuses(INFINITY, 1);
  refuses(1, NAN);
}
