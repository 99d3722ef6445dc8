#include "pocket/write.h"
#include "tutorials/common/guards.h"

using namespace pocket;
using gradus::green, gradus::red;

namespace {

Gpt large_gpt(Position position, Index heads) {
  Gpt model({.vocab_size = 9,
             .n_positions = 48,
             .n_layer = 2,
             .n_head = static_cast<int>(heads),
             .n_embd = 12,
             .position = position},
            4);
  visit_parameters(model, [](const std::string&, Tensor& x) {
    if (x.rank() == 2) x = x * Scalar(25);  // far from the same logits for all
  });
  return model;
}

void compare(const std::string& what, const Gpt& model, InferenceSession& session, Tokens& text,
             const std::vector<Index>& pieces) {
  const auto token = [](Index t) { return static_cast<std::int32_t>((5 * t * t + t + 3) % 9); };
  for (const Index piece : pieces) {
    Tokens more;
    for (Index t = 0; t < piece; ++t) more.push_back(token(std::ssize(text) + t));
    text.insert(text.end(), more.begin(), more.end());
    const std::vector<Scalar> row = session.step(more);
    const NoGrad no_grad;
    const Tensor whole =
        reshape(slice(model(IndexTensor({1, std::ssize(text)}, text)), 1, -1), {9});
    const std::string name = what + ", " + std::to_string(std::ssize(text)) + " tokens read";
    for (const MultiHeadAttention::KeyValues& cache : session.caches) {
      for (const Tensor& kept : {cache.keys, cache.values}) {
        const bool right = kept.defined() && kept.rank() == 4 && kept.size(2) == std::ssize(text);
        const char* which = &kept == &cache.keys ? "keys" : "keys or values";
        if (!right) {
          red(name, ": the cache holds ", (kept.defined() ? "" : "no "), which,
              (kept.defined() && kept.rank() == 4
                   ? " of " + std::to_string(kept.size(2)) + " positions"
                   : ""));
        }
      }
    }
    const Tensor got = tensor({std::ssize(row)}, row);
    gradus::must_be_finite(name, got);
    if (std::ssize(row) != 9) red(name, ": the logits must be those of one position");
    gradus::expect(name + ": logits, beside those of reading everything (keys, values, mask)",
                   gradus::as_library(got), gradus::as_library(whole), {}, 1e-3);
  }
  green(what);
}

void check_pieces(const std::string& what, Position position, Index heads,
                  const std::vector<Index>& pieces) {
  const Gpt model = large_gpt(position, heads);
  InferenceSession session(model);
  Tokens text;
  compare(what, model, session, text, pieces);
}

}  // namespace

CHECK_ANSWER() {
  check_pieces("one token, then one more", Position::kLearned, 2, {1, 1, 1});
  check_pieces("several tokens at once", Position::kLearned, 3, {4, 1, 3});
  check_pieces("a text of 40 tokens", Position::kLearned, 2, {30, 1, 1, 8});
  check_pieces("rotary positions", Position::kRotary, 2, {3, 1, 2, 1});
  check_pieces("ALiBi", Position::kAlibi, 2, {3, 1, 2});
  const Gpt model = large_gpt(Position::kLearned, 2);
  InferenceSession session(model);
  Tokens text;
  compare("a session", model, session, text, {3, 2});
  session.length = 0, text.clear();
  compare("a session that begins again", model, session, text, {2, 1});
}
