// Runs every model, compiled with either engine: outputs, all gradients, the losses of 20 steps,
// and generated text.
#include <unistd.h>

#include <thread>

#include "bert.h"
#include "llama.h"
#include "lora.h"
#include "preferences.h"
#include "ranks.h"
#include "recurrent.h"
#include "results.h"
#include "tokens.h"
#include "transformer.h"
#include "vision.h"
#include "write.h"

namespace pocket {
namespace {

/// Tokens below `vocab`, drawn in the same way for both engines.
IndexTensor tokens_of(const Shape& shape, Index vocab, std::uint32_t place) {
  Tokens tokens;
  for (Index i = 0; i < shape.size(); ++i) {
    tokens.push_back(
        static_cast<std::int32_t>(uniform_index({.seed = 7, .place = place}, i, vocab)));
  }
  return IndexTensor(shape, tokens);
}

/// The first loss, all its gradients, and the losses of 20 steps.
template <class Model>
void learn(std::vector<Result>& results, const std::string& name, Model& model,
           const std::function<Tensor()>& loss) {
  const std::vector<NamedTensor> all = parameters(model);
  backward(loss());
  for (const NamedTensor& x : all) {
    const Tensor gradient = x.tensor.grad();
    if (gradient.defined()) {
      results.push_back({name + " " + x.name, {gradient.begin(), gradient.end()}});
    }
  }
  AdamW optimiser(all, {});
  const std::vector<Scalar> losses = train(
      optimiser, {.steps = 20, .schedule = {.rate = 3e-3, .floor = 0, .warmup = 5, .decay = 20}},
      [&](int) { return loss(); });
  results.push_back({name + " losses", {losses.begin(), losses.end()}});
  results.push_back({name + " count", {static_cast<double>(count(all))}});
}

void add(std::vector<Result>& results, const std::string& name, const Tensor& x) {
  results.push_back({name, {x.begin(), x.end()}});
}
void add(std::vector<Result>& results, const std::string& name, const Tokens& tokens) {
  results.push_back({name, {tokens.begin(), tokens.end()}});
}

/// Two layers learn by gradient descent with momentum.
struct Mlp {
  Mlp(KeySequence& keys) : first(2, 5, keys), second(5, 3, keys) {}
  Tensor operator()(const Tensor& x) const { return second(relu(first(x))); }
  void fields(auto&& f) {
    f("first", first);
    f("second", second);
  }
  Linear first, second;
};

void run_mlp(std::vector<Result>& results) {
  KeySequence keys(1);
  Mlp model(keys);
  const Tensor x = normal({7, 2}, {.seed = 3});
  const IndexTensor labels = tokens_of({7}, 3, 1);
  Sgd optimiser(parameters(model), {.momentum = 0.9});
  const auto losses =
      train(optimiser, {.steps = 20, .schedule = {.rate = 0.1, .decay = 20}, .clip = 0.1},
            [&](int) { return cross_entropy(model(dropout_in_training(x, Scalar(0.2))), labels); });
  results.push_back({"mlp losses", {losses.begin(), losses.end()}});
}

void run_recurrent(std::vector<Result>& results) {
  const IndexTensor source = tokens_of({3, 5}, 11, 1), target = tokens_of({3, 4}, 13, 2);
  const auto run = [&](const std::string& name, RecurrentSeq2SeqConfig config) {
    config.source_vocab = 11, config.target_vocab = 13, config.channels = 6, config.hidden = 8;
    KeySequence keys(2);
    RecurrentSeq2Seq model(config, keys);
    learn(results, name, model,
          [&] { return cross_entropy(model(source, target).logits, target); });
    add(results, name + " greedy", greedy(model, tokens_of({1, 5}, 11, 3), 0, 4));
  };
  run("rnn", {.kind = RecurrentKind::kRnn});
  run("gru", {});
  for (int kind = 0; kind < 6; ++kind) {
    run("alignment " + std::to_string(kind),
        {.alignment = static_cast<AlignmentKind>(kind), .longest = 7});
  }
}

void run_gpt(std::vector<Result>& results) {
  const IndexTensor inputs = tokens_of({3, 5}, 11, 1), targets = tokens_of({3, 5}, 11, 2);
  for (const Position position : {Position::kNone, Position::kSinusoidal, Position::kLearned,
                                  Position::kBuckets, Position::kAlibi, Position::kRotary}) {
    Gpt model({.vocab_size = 11,
               .n_positions = 7,
               .n_layer = 2,
               .n_head = 2,
               .n_embd = 8,
               .dropout = Scalar(0.1),
               .position = position},
              5);
    const std::string name = "gpt " + std::to_string(static_cast<int>(position));
    add(results, name + " logits", model(inputs));
    learn(results, name, model, [&] { return model.loss(inputs, targets); });
    add(results, name + " text",
        generate(model, {1, 2}, 12, {.temperature = 1, .top_k = 9, .top_p = 0.9}, {.seed = 4}));
    // Reading token by token gives the same result as reading at once.
    InferenceSession session(model);
    session.step({1, 2, 3});
    const auto last = session.step({4});
    results.push_back({name + " cached", {last.begin(), last.end()}});
    const Tensor at_once = slice(model(indices({{1, 2, 3, 4}})), 1, -1);
    for (Index i = 0; i < at_once.size(); ++i) {
      check(std::abs(at_once.data()[i] - last[i]) < 1e-5, "the cache gives other logits");
    }
  }
}

Llama small_llama(bool tied) {
  return Llama({.vocab_size = 11,
                .hidden_size = 8,
                .num_hidden_layers = 2,
                .num_attention_heads = 4,
                .num_key_value_heads = 2,
                .max_position_embeddings = 7,
                .tie_word_embeddings = tied},
               5);
}

void run_llama(std::vector<Result>& results) {
  const IndexTensor inputs = tokens_of({3, 5}, 11, 1), targets = tokens_of({3, 5}, 11, 2);
  for (const bool tied : {true, false}) {
    Llama model = small_llama(tied);
    add(results, "llama logits", model(inputs));
    learn(results, "llama", model, [&] { return cross_entropy(model(inputs), targets); });
    // Reading token by token gives the same result as reading at once.
    const NoGrad no_grad;
    std::vector<GroupedAttention::KeyValues> caches(2);
    model(indices({{1, 2, 3}}), &caches, 0);
    const Tensor last = model(indices({{4}}), &caches, 3);
    add(results, "llama cached", last);
    check(caches[0].keys.shape() == Shape{1, 2, 4, 2}, "the cache has another shape");
    const Tensor at_once = slice(model(indices({{1, 2, 3, 4}})), 1, -1);
    for (Index i = 0; i < at_once.size(); ++i) {
      check(std::abs(at_once.data()[i] - last.data()[i]) < 1e-5, "the cache gives other logits");
    }
  }
  const std::vector<double> frequencies = rotary_frequencies(6, 100);
  add(results, "table of frequencies", rotary_table(9, frequencies));
}

void run_bert(std::vector<Result>& results) {
  const IndexTensor tokens = tokens_of({3, 5}, 11, 1);
  Bert model({.vocab_size = 12,
              .n_layer = 2,
              .layer = {.d_model = 8,
                        .num_heads = 2,
                        .norm_place = NormPlace::kPost,
                        .position = Position::kLearned,
                        .max_length = 7}});
  const IndexTensor mask = padding_mask(tokens, 3);
  const MaskedWords masked = mask_words(tokens, {0, 1, 2, 4, 5, 6, 7}, 11, {.seed = 2});
  const IndexTensor inputs = masked.inputs, targets = masked.targets;
  results.push_back({"masked words", {inputs.begin(), inputs.end()}});
  add(results, "bert words", model.word_logits(model.features(inputs, mask)));
  learn(results, "bert", model,
        [&] { return cross_entropy(model.word_logits(model.features(inputs, mask)), targets); });
  model.set_labels(2);
  learn(results, "bert labels", model, [&] {
    return cross_entropy(model.sequence_logits(model.features(tokens, mask)), indices({0, 1, 0}));
  });
}

void run_transformer(std::vector<Result>& results) {
  const IndexTensor src = tokens_of({3, 5}, 11, 1), trg = tokens_of({3, 4}, 13, 2);
  Transformer model({.src_vocab = 11,
                     .trg_vocab = 13,
                     .n_layer = 2,
                     .layer = {.d_model = 8, .num_heads = 2, .max_length = 9}});
  const IndexTensor src_mask = padding_mask(src, 0), trg_mask = padding_mask(trg, 0);
  add(results, "transformer", model(src, trg, src_mask, trg_mask));
  learn(results, "transformer", model,
        [&] { return cross_entropy(model(src, trg, src_mask, trg_mask), trg); });
  const IndexTensor one = tokens_of({1, 5}, 11, 5);
  const WriteLimits limits{.begin = 1, .end = 2, .max_tokens = 6};
  add(results, "greedy", beam_search(model, one, limits, 1).front().tokens);
  for (const Hypothesis& h : beam_search(model, one, limits, 3)) {
    add(results, "beam", h.tokens);
    results.push_back({"beam score", {h.score}});
  }
}

VisionTransformer small_vision() {
  VisionConfig config{.height = 6, .width = 9, .patch = 3, .n_labels = 5, .n_layer = 2};
  config.layer = {.d_model = 8, .num_heads = 2, .dropout = 0, .position = Position::kLearned};
  return VisionTransformer(config, 3);
}

void run_vision(std::vector<Result>& results) {
  VisionTransformer model = small_vision();
  const Tensor images = normal({4, 6, 9}, {.seed = 2});
  const IndexTensor labels = indices({3, 0, 4, 1});
  add(results, "patches", patchify(images, 3));
  add(results, "vision logits", model(images));
  learn(results, "vision", model, [&] { return cross_entropy(model(images), labels); });
}

/// The numbers of two ranks, added in both ways.
void run_ranks(std::vector<Result>& results) {
  int ends[2];
  check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "no socket");
  std::vector<Scalar> numbers[2];
  const auto run = [&](int rank) {
    Ranks own{.rank = rank, .size = 2, .sockets = {ends[rank], ends[rank]}};
    const Tensor x = normal({7}, {.seed = 9, .place = static_cast<std::uint32_t>(rank)});
    for (const Sum& sum : {Sum(ring_sum), Sum(sum_in_order)}) {
      const Tensor mean = tensor(x.shape(), {x.begin(), x.end()});
      average(own, {mean}, sum);
      numbers[rank].insert(numbers[rank].end(), mean.begin(), mean.end());
    }
  };
  std::thread other(run, 1);
  run(0);
  other.join();
  close(ends[0]), close(ends[1]);
  for (const auto& each : numbers) results.push_back({"mean of ranks", {each.begin(), each.end()}});
}

}  // namespace

/// A VisionTransformer's parameters, its logits, all gradients, and the losses of 20 steps.
std::vector<Result> run_vision_alone() {
  std::vector<Result> results;
  VisionTransformer model = small_vision();
  for (const NamedTensor& x : parameters(model)) add(results, "parameter", x.tensor);
  run_vision(results);
  return results;
}

/// A GPT's parameters, a batch, and the losses of 20 steps on it.
std::vector<Result> run_gpt_alone() {
  std::vector<Result> results;
  Gpt model(
      {.vocab_size = 11, .n_positions = 7, .n_layer = 2, .n_head = 2, .n_embd = 8, .dropout = 0});
  for (const NamedTensor& x : parameters(model)) add(results, x.name, x.tensor);
  const IndexTensor inputs = tokens_of({3, 5}, 11, 1), targets = tokens_of({3, 5}, 11, 2);
  results.push_back({"inputs", {inputs.begin(), inputs.end()}});
  results.push_back({"targets", {targets.begin(), targets.end()}});
  AdamW optimiser(parameters(model), {});
  const std::vector<Scalar> losses = train(
      optimiser, {.steps = 20, .schedule = {.rate = 3e-3, .floor = 0, .warmup = 5, .decay = 20}},
      [&](int) { return model.loss(inputs, targets); });
  results.push_back({"losses", {losses.begin(), losses.end()}});
  return results;
}

/// A Llama's parameters, a batch, its logits, and the losses of 20 steps on the batch.
std::vector<Result> run_llama_alone() {
  std::vector<Result> results;
  Llama model = small_llama(false);
  for (const NamedTensor& x : parameters(model)) add(results, x.name, x.tensor);
  const IndexTensor inputs = tokens_of({3, 5}, 11, 1), targets = tokens_of({3, 5}, 11, 2);
  results.push_back({"inputs", {inputs.begin(), inputs.end()}});
  results.push_back({"targets", {targets.begin(), targets.end()}});
  add(results, "logits", model(inputs));
  AdamW optimiser(parameters(model), {});
  const std::vector<Scalar> losses = train(
      optimiser, {.steps = 20, .schedule = {.rate = 3e-3, .floor = 0, .warmup = 5, .decay = 20}},
      [&](int) { return cross_entropy(model(inputs), targets); });
  results.push_back({"losses", {losses.begin(), losses.end()}});
  return results;
}

/// Results for which the library has separate functions.
std::vector<Result> run_tables() {
  std::vector<Result> results;
  add(results, "sinusoidal", sinusoidal_table(7, 6));
  add(results, "alibi", alibi_bias(4, 3, 5));
  const IndexTensor both = distance_buckets(150, 150, true), one = distance_buckets(3, 150, false);
  results.push_back({"both ways", {both.begin(), both.end()}});
  results.push_back({"one way", {one.begin(), one.end()}});
  const Tensor x = normal({2, 3, 6}, {.seed = 1}), q = normal({2, 3, 5, 7}, {.seed = 2});
  add(results, "rotary", rotary(x, rotary_table(9, 6), 4));
  add(results, "frequencies", rotary_table(9, rotary_frequencies(6, 100)));
  add(results, "heads", split_heads(x, 2));
  const AttentionOptions options{.mask = indices({{1, 0, 1, 1, 1}}), .causal = true};
  add(results, "attention", scaled_dot_product_attention(q, q, q, options));
  return results;
}

/// A low-rank pair beside a matrix, and the loss of preferences: results and gradients.
std::vector<Result> run_changes() {
  std::vector<Result> results;
  KeySequence keys(1);
  LowRank pair(5, 4, {.rank = 2, .alpha = 3}, keys);
  pair.a = normal({5, 2}, {.seed = 2}).set_requires_grad();
  pair.b = normal({2, 4}, {.seed = 3}).set_requires_grad();
  const Tensor weight = normal({5, 4}, {.seed = 1}), x = normal({2, 3, 5}, {.seed = 4});
  const Tensor y = pair.beside(weight, x);
  backward(sum(y * y));
  add(results, "beside", y), add(results, "merged", matmul(x, pair.merged(weight)));
  add(results, "a", pair.a.grad()), add(results, "b", pair.b.grad());

  Tensor log_p = normal({3, 2}, {.seed = 5}).set_requires_grad();
  const Tensor reference = normal({3, 2}, {.seed = 6});
  const Tensor loss = dpo_loss(slice(log_p, 1, 0, 1), slice(log_p, 1, 1, 2),
                               slice(reference, 1, 0, 1), slice(reference, 1, 1, 2), Scalar(0.3));
  backward(loss);
  add(results, "preferences", loss), add(results, "gradient", log_p.grad());
  return results;
}

std::vector<Result> run_models() {
  std::vector<Result> results;
  run_mlp(results);
  run_recurrent(results);
  run_gpt(results);
  run_llama(results);
  run_bert(results);
  run_transformer(results);
  run_vision(results);
  run_ranks(results);
  for (Result& each : run_changes()) results.push_back(std::move(each));
  return results;
}

}  // namespace pocket
