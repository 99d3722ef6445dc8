#include "tutorials/common/check.h"

#include "tutorials/10_multi_head_attention/exercises.h"
#include "tutorials/10_multi_head_attention/tasks.h"

namespace {

/// The reader's two layers, for `words` words and rows of `length`.
struct ByHand {
  ByHand(Index words, Index length) : words(words), length(length), channels(3 * words + length) {
    KeySequence keys(1);
    for (MultiHeadAttention* layer : {&first, &second}) {
      *layer = MultiHeadAttention(channels, 1, keys, {}, false);
      for (Linear* map : maps(*layer)) map->weight = zeros({channels, channels});
    }
    set_induction_head(words, length, first, second);
    for (MultiHeadAttention* layer : {&first, &second}) {
      if (layer->rotate || layer->num_heads != 1) gradus::red("set the weights and nothing else");
      for (Linear* map : maps(*layer)) {
        if (map->weight.shape() != Shape{channels, channels} || map->bias.defined())
          gradus::red("each map must keep its weight [C, C], and have no bias");
      }
    }
  }
  static std::vector<Linear*> maps(MultiHeadAttention& layer) {
    return {&layer.query, &layer.key, &layer.value, &layer.output};
  }
  Tensor embed(const IndexTensor& tokens) const {  // [B, T, C]
    Tensor x({tokens.size(0), length, channels});
    for (Index i = 0; i < tokens.size(); ++i) {
      x.mutable_data()[i * channels + tokens.data()[i]] = 1;
      x.mutable_data()[i * channels + words + i % length] = 1;
    }
    return x;
  }
  static Tensor add(const Tensor& x, const MultiHeadAttention& layer) {
    return x + layer(x, x, {.causal = true});
  }
  static Tensor weights(const Tensor& x, const MultiHeadAttention& layer) {  // [B, 1, T, T]
    return attention_weights(split_heads(layer.query(x), 1), layer.key_values(x).keys,
                             {.causal = true});
  }
  Index words, length, channels;
  MultiHeadAttention first, second;
};

std::string list(const auto* from, Index count, const char* format) {
  std::string all;
  for (Index i = 0; i < count; ++i) {
    char one[32];
    std::snprintf(one, sizeof one, format, from[i]);
    all += (i > 0 ? " " : "") + std::string(one);
  }
  return all;
}

/// Whether `word` followed an earlier occurrence of the word at t.
bool is_successor(const std::int32_t* row, Index t, std::int32_t word) {
  for (Index s = 1; s <= t; ++s) {
    if (row[s - 1] == row[t] && row[s] == word) return true;
  }
  return false;
}

/// What is wrong with the answer at position t of one row.
std::string cause(const ByHand& model, const std::int32_t* row, Index t) {
  const Index n = model.length, words = model.words;
  const Tensor x = model.embed(IndexTensor({1, n}, {row, row + n}));
  const Tensor once = model.add(x, model.first), twice = model.add(once, model.second);
  const Tensor one = model.weights(x, model.first), two = model.weights(once, model.second);
  const Scalar* look = two.data() + t * n;
  const std::string shown =
      "\nthe second layer's weights in this row: " + list(look, t + 1, "%.2f");
  const auto is_zero = [](Scalar v) { return v == 0; };
  const Scalar* end = twice.data() + (t + 1) * model.channels;
  if (std::all_of(end - words, end, is_zero)) {
    return "nothing arrives in the last V channels: the second layer's output map must write there";
  }
  for (Index i = 0; i < n * model.channels; ++i) {
    if (i % model.channels < words + n && !gradus::is_near(once.data()[i], x.data()[i], 1e-3))
      return "the first layer writes over the channels of words or positions";
  }
  for (Index s = 1; s < n; ++s) {
    const Scalar share = one.data()[s * n + s - 1];
    if (share > 0.9) continue;
    return "the first layer's query " + std::to_string(s) + " must attend to position " +
           std::to_string(s - 1) + ", and gives it " + list(&share, 1, "%.2f") +
           " (scores are divided by the square root of D)";
  }
  Scalar by_word = 0, by_before = 0;
  for (Index s = 1; s <= t; ++s) {
    by_word += row[s] == row[t] ? look[s] : 0, by_before += row[s - 1] == row[t] ? look[s] : 0;
  }
  if (look[0] > 0.2) {
    return "position 0 matches, although no word is before it: what does the first layer bring "
           "there?" +
           shown;
  }
  if (by_before > 0.9) {
    return "the second layer attends to the right position: its value must be the word there" +
           shown;
  }
  if (by_word > 0.9) {
    return "the second layer finds the present word: a key must be the word before its position" +
           shown;
  }
  return "the second layer must attend to positions whose word before is the present word (scores "
         "are divided by the square root of D)" +
         shown;
}

void try_rows(const std::string& what, Index words, const IndexTensor& rows) {
  const ByHand model(words, rows.size(1));
  const Tensor y = model.add(model.add(model.embed(rows), model.first), model.second);
  gradus::must_be_finite(what, y, "numbers so large that their products are infinite");
  const IndexTensor said = argmax(slice(y, 2, -words), -1);
  for (Index i = 0; i < rows.size(); ++i) {
    const Index t = i % model.length;
    const std::int32_t* row = rows.data() + i - t;
    if (std::find(row, row + t, row[t]) == row + t) continue;  // the word is new
    if (is_successor(row, t, said.data()[i])) continue;
    gradus::red(what + "\nin the row " + list(row, model.length, "%d") + ", after the " +
                std::to_string(row[t]) + " of position " + std::to_string(t) +
                ", the model names " + std::to_string(said.data()[i]) +
                "\nlikely cause: " + cause(model, row, t));
  }
  gradus::green(what);
}

IndexTensor every_row(Index words, Index length) {
  Index count = 1;
  for (Index t = 0; t < length; ++t) count *= words;
  Tokens all;
  for (Index b = 0; b < count; ++b) {
    Index rest = b;
    for (Index t = 0; t < length; ++t, rest /= words) {
      all.push_back(static_cast<std::int32_t>(rest % words));
    }
  }
  return IndexTensor({count, length}, all);
}

IndexTensor random_rows(Index count, Index words, Index length) {
  Tokens all;
  for (Index i = 0; i < count * length; ++i) {
    all.push_back(static_cast<std::int32_t>(uniform_index({.seed = 5}, i, words)));
  }
  return IndexTensor({count, length}, all);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    const NoGrad no_grad;
    try_rows("every row of 5 out of 3 words: 243", 3, every_row(3, 5));
    try_rows("every row of 4 out of 5 words: 625", 5, every_row(5, 4));
    try_rows("every row of 8 out of 2 words: 256", 2, every_row(2, 8));
    try_rows("200 of the chapter's rounds: 12 out of 12 words", 12,
             Rounds(200, {.seed = 1000}).tokens);
    try_rows("rows such as a b c d e f d: 12 out of 12 words", 12,
             Broken(200, {.seed = 1000}).tokens);
    try_rows("20 random rows of 30 out of 40 words", 40, random_rows(20, 40, 30));
  });
}
