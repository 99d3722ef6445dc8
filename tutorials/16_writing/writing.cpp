// Chapter 16: from logits to a text, and why the second token is cheap.
#include <cstdio>
#include <set>

#include "pocket/write.h"
#include "tutorials/16_writing/figures.h"
#include "tutorials/16_writing/trained.h"
#include "tutorials/common/keep_memory.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/time.h"
#include "tutorials/ladder/ladder.h"

using namespace pocket;
using namespace course;
using ladder::Tales;

namespace {

void one_step(const Tales& tales, const Gpt& model) {
  const Part part("step");
  // [step]
  const Tokens prompt = tales.characters.encode("The fox and th");
  InferenceSession session(model);
  const std::vector<Scalar> row = session.step(prompt);
  const Tensor logits = tensor({std::ssize(row)}, row);
  const Tensor logs = log_softmax(logits), shares = exp(logs);
  Tensor rest = logits * 1;  // a copy: another handle would share the numbers
  for (int i = 0; i < 4; ++i) {
    const std::int32_t token = *argmax(rest, -1).data();
    // Prints one row of the table.
    print_token(token, tales.characters.vocabulary[static_cast<std::size_t>(token)],
                logits.data()[token], logs.data()[token], shares.data()[token]);
    rest.mutable_data()[token] = -INFINITY;  // the next most probable token
  }
  const std::int32_t best = *argmax(logits, -1).data();
  std::printf("argmax %d, \"%s\"\n", best, tales.characters.decode({best}).c_str());
  // [step]
}

// [shares]
/// How often choose_token takes each token, for 1000 draws spread evenly over [0, 1).
std::vector<double> shares_of(const std::vector<Scalar>& logits, const SampleOptions& options) {
  std::vector<double> shares(logits.size());
  for (int i = 0; i < 1000; ++i) {
    const Scalar draw = Scalar((i + 0.5) / 1000);
    shares[static_cast<std::size_t>(choose_token(logits, options, draw))] += 0.001;
  }
  return shares;
}
// [shares]

// [choices]
void show(const char* name, const std::vector<Scalar>& logits, const SampleOptions& options) {
  std::printf("%-25s", name);
  for (const double share : shares_of(logits, options)) std::printf("  %.3f", share);
  std::printf("\n");
}

void choices() {
  const Part part("choices");
  const std::vector<Scalar> logits{2, 1.5, 1, 0, -1};
  std::printf("logits                       2.0    1.5    1.0    0.0   -1.0\n");
  show("temperature 1", logits, {.temperature = 1});
  show("temperature 0.5", logits, {.temperature = 0.5});
  show("temperature 2", logits, {.temperature = 2});
  show("temperature 0", logits, {.temperature = 0});
  show("top_k 3", logits, {.temperature = 1, .top_k = 3});
  show("top_p 0.7", logits, {.temperature = 1, .top_p = 0.7});
  show("temperature 2, top_p 0.7", logits, {.temperature = 2, .top_p = 0.7});
}
// [choices]

// [adapt]
void adapt() {
  const Part part("adapt");
  const std::vector<Scalar> sure{4, 1, 0, 0, -1}, unsure{1, 0.9, 0.8, 0.6, 0.5};
  for (const auto& [name, logits] : {std::pair("sure", sure), {"unsure", unsure}}) {
    show(name, logits, {.temperature = 1});
    show("  top_k 3", logits, {.temperature = 1, .top_k = 3});
    show("  top_p 0.7", logits, {.temperature = 1, .top_p = 0.7});
  }
}
// [adapt]

void texts(const Tales& tales, const Gpt& model) {
  const Part part("texts");
  // [texts]
  const Tokens prompt = tales.characters.encode("The ");
  const auto show = [&](const char* name, const SampleOptions& options) {
    const Tokens text = generate(model, prompt, 60, options, {.seed = 3});
    std::printf("%-15s %s\n", name, on_one_line(tales.characters.decode(text)).c_str());
  };
  show("temperature 0", {.temperature = 0});
  show("temperature 0.5", {.temperature = 0.5});
  show("temperature 1", {.temperature = 1});
  show("temperature 2", {.temperature = 2});
  show("top_p 0.8", {.temperature = 1, .top_p = 0.8});
  // [texts]
}

// [counts]
/// Writes five texts of 300 characters. Prints the share of words that occur in the tales, and of
/// pieces of eight characters that occurred before in the same text.
void counts(const Tales& tales, const Gpt& model) {
  const Part part("counts");
  const std::vector<std::string> all = whole_words(tales.text);
  const std::set<std::string> known(all.begin(), all.end());
  const auto show = [&](const char* name, const SampleOptions& options) {
    std::vector<double> real, repeated;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Tokens tokens =
          generate(model, tales.characters.encode("The "), 300, options, {.seed = seed});
      const std::string text = tales.characters.decode(tokens);
      const std::vector<std::string> words = whole_words(text);
      const auto is_known = [&](const std::string& word) { return known.contains(word); };
      real.push_back(double(std::count_if(words.begin(), words.end(), is_known)) /
                     double(words.size()));
      double before = 0;
      for (std::size_t i = 0; i + 8 <= text.size(); ++i) {
        before += text.find(text.substr(i, 8)) < i;
      }
      repeated.push_back(before / double(text.size() - 7));
    }
    print_counts(name, real, repeated);
  };
  show("temperature 0", {.temperature = 0});
  show("temperature 0.5", {.temperature = 0.5});
  show("temperature 1", {.temperature = 1});
  show("temperature 2", {.temperature = 2});
  show("top_p 0.8", {.temperature = 1, .top_p = 0.8});
}
// [counts]

void equal(const Tales& tales, const Gpt& model) {
  const Part part("equal");
  // [equal]
  const NoGrad no_grad;
  const Tokens text(tales.held_out.begin(), tales.held_out.begin() + 64);
  InferenceSession session(model);
  double largest = 0;
  for (Index t = 0; t < 64; ++t) {
    const std::vector<Scalar> cached = session.step({text[static_cast<std::size_t>(t)]});
    const Tokens seen(text.begin(), text.begin() + t + 1);
    const Tensor again = slice(model(IndexTensor({1, t + 1}, seen)), 1, -1);
    for (std::size_t v = 0; v < cached.size(); ++v) {
      largest = std::max(largest, double{std::abs(cached[v] - again.data()[v])});
    }
  }
  std::printf("largest difference of two logits, over 64 positions: %.0e\n", largest);
  // [equal]
}

void time_per_token() {
  const Part part("time");
  // [time]
  const NoGrad no_grad;
  GptConfig config{.vocab_size = 61, .n_positions = 512, .n_layer = 2, .n_head = 4, .n_embd = 64};
  const Gpt model(config, 1);  // untrained: time does not depend on the numbers
  std::vector<double> lengths, once, again;
  std::printf("tokens before  with the cache  reading all again\n");
  for (const Index length : {64, 128, 256, 511}) {
    InferenceSession session(model);
    session.step(Tokens(static_cast<std::size_t>(length)));
    const IndexTensor all({1, length + 1}, Tokens(static_cast<std::size_t>(length + 1)));
    once.push_back(1e3 * shortest_seconds(5, [&] {
                     InferenceSession copy = session;  // shares the tensors
                     copy.step({0});
                   }));
    again.push_back(1e3 * shortest_seconds(10, [&] { model(all); }));
    lengths.push_back(static_cast<double>(length));
    std::printf("%13.0f  %11.2f ms  %14.2f ms\n", lengths.back(), once.back(), again.back());
  }
  // [time]
  draw_times(lengths, once, again);
}

// [parts]
/// Times reading everything again, both blocks' attention alone, and its two products alone.
void parts() {
  const Part part("parts");
  const NoGrad no_grad;
  GptConfig config{.vocab_size = 61, .n_positions = 512, .n_layer = 2, .n_head = 4, .n_embd = 64};
  const Gpt model(config, 1);
  std::printf("tokens  all again  attention  its products, ms\n");
  for (const Index length : {128, 256, 512}) {
    const IndexTensor all({1, length}, Tokens(static_cast<std::size_t>(length)));
    const Tensor q = normal({1, 4, length, 16}, {.seed = 1}), k = q * 2, v = q * 3;
    const Tensor weights = attention_weights(q, k, {.causal = true});
    const double whole = shortest_ms([&] { model(all); });
    const double attention =
        shortest_ms([&] { scaled_dot_product_attention(q, k, v, {.causal = true}); });
    const double products = shortest_ms([&] { matmul(q, k, {.b = true}), matmul(weights, v); });
    std::printf("%6d  %9.2f  %9.2f  %12.2f\n", int(length), whole, 2 * attention, 2 * products);
  }
}
// [parts]

void memory(const Gpt& model) {
  const Part part("memory");
  // [memory]
  InferenceSession session(model);
  session.step(Tokens(64));
  Index numbers = 0;
  for (const auto& cache : session.caches) numbers += cache.keys.size() + cache.values.size();
  const double gpt_2 = 2.0 * 12 * 1024 * 768;  // 12 blocks, 1024 positions, C = 768
  std::printf("a full cache: ours %.3f MB, GPT-2's %.1f MB\n", double(numbers) * 4 / 1e6,
              gpt_2 * 4 / 1e6);
  // [memory]
}

void slide(const Tales& tales, const Gpt& model) {
  const Part part("slide");
  // [slide]
  InferenceSession session(model);
  Tokens unread = tales.characters.encode("The "), text = unread;
  const Index most = model.config.n_positions;
  std::printf("token  reads\n");
  for (Index i = 0; i < 100; ++i) {
    if (session.length + std::ssize(unread) > most) {
      unread = Tokens(text.end() - 3 * most / 4, text.end()), session.length = 0;
    }
    if (std::ssize(unread) > 1 || i < 2) {
      std::printf("%5lld  %5lld\n", static_cast<long long>(i),
                  static_cast<long long>(std::ssize(unread)));
    }
    unread = {choose_token(session.step(unread), {}, Scalar(0.5))};
    text.push_back(unread[0]);
  }
  // [slide]
}

}  // namespace

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  const Tales tales;
  if (argc > 2 && std::string(argv[2]) == "--long") {
    const Gpt model = trained_gpt(tales, 3000);
    texts(tales, model);
    counts(tales, model);
    return 0;
  }
  const Gpt model = trained_gpt(tales, 250);
  one_step(tales, model);
  choices();
  adapt();
  texts(tales, model);
  counts(tales, model);
  equal(tales, model);
  time_per_token();
  parts();
  memory(model);
  slide(tales, model);
}
// [main]
