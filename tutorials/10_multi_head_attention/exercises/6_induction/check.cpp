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

/// How both layers look at one row, as the last of the positions `shown` does.
std::string looks(const ByHand& model, const std::int32_t* row, Index shown) {
  const Index n = model.length;
  const Tensor x = model.embed(IndexTensor({1, n}, {row, row + n})), y = model.add(x, model.first);
  const Tensor one = model.weights(x, model.first), two = model.weights(y, model.second);
  std::string text =
      "\nweights of the second layer there: " + list(two.data() + shown * n, shown + 1, "%.2f") +
      "\nof the first layer:";
  for (Index t = 1; t < n; ++t) text += "\n  " + list(one.data() + t * n, t + 1, "%.2f");
  return text;
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
    gradus::red(what, "\nin the row ", list(row, model.length, "%d"), ", after the ", row[t],
                " of position ", t, ", the model names ", said.data()[i], looks(model, row, t));
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

CHECK_ANSWER() {
  const NoGrad no_grad;
  try_rows("every row of 5 out of 3 words: 243", 3, every_row(3, 5));
  try_rows("every row of 4 out of 5 words: 625", 5, every_row(5, 4));
  try_rows("every row of 8 out of 2 words: 256", 2, every_row(2, 8));
  try_rows("200 of the chapter's rounds: 12 out of 12 words", 12,
           Rounds(200, {.seed = 1000}).tokens);
  try_rows("rows such as a b c d e f d: 12 out of 12 words", 12,
           Broken(200, {.seed = 1000}).tokens);
  try_rows("20 random rows of 30 out of 40 words", 40, random_rows(20, 40, 30));
}
