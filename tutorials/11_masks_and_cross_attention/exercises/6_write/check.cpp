#include "tutorials/common/check.h"

#include <algorithm>

#include "tutorials/11_masks_and_cross_attention/exercises.h"

namespace {

std::vector<Linear*> maps(MultiHeadAttention& cross) {
  return {&cross.query, &cross.key, &cross.value, &cross.output};
}

/// One head of width V without biases; all weights are 0.
MultiHeadAttention empty(Index count) {
  KeySequence keys(1);
  MultiHeadAttention cross(count, 1, keys, {}, false);
  for (Linear* map : maps(cross)) map->weight = zeros({count, count});
  return cross;
}

MultiHeadAttention sorter_of_mine(Index count) {
  MultiHeadAttention cross = empty(count);
  set_sorter(cross);
  if (cross.rotate || cross.num_heads != 1) gradus::red("set_sorter: set the weights, no more");
  for (Linear* map : maps(cross)) {
    if (map->weight.shape() != Shape{count, count} || map->bias.defined())
      gradus::red("set_sorter: each map must keep its weight [V, V], and have no bias");
  }
  return cross;
}

/// Weights by which token a attends to token b by this score, and writes it.
MultiHeadAttention by_scores(Index count, const auto& score) {
  MultiHeadAttention cross = empty(count);
  for (Index a = 0; a < count; ++a) {
    for (Index b = 0; b < count; ++b) put(cross.query.weight, a, b, Scalar(score(a, b)));
    for (Linear* map : {&cross.key, &cross.value, &cross.output}) put(map->weight, a, a, 1);
  }
  return cross;
}

std::string list(const auto& tokens) {
  std::string all;
  for (const std::int32_t token : tokens) {
    const std::string name = std::to_string(token);
    all += (all.empty() ? "" : " ") + (token == kEnd ? "." : token == kPadding ? "-" : name);
  }
  return all;
}

IndexTensor padded(const std::vector<Tokens>& rows, std::size_t length = 0) {
  for (const Tokens& row : rows) length = std::max(length, row.size());
  Tokens all;
  for (Tokens row : rows) {
    row.resize(length, kPadding);
    all.insert(all.end(), row.begin(), row.end());
  }
  return IndexTensor({std::ssize(rows), static_cast<Index>(length)}, all);
}

/// All rows of up to `most` different letters below `count`, in every order; each with its end.
std::vector<Tokens> all_rows(std::int32_t count, std::size_t most) {
  std::vector<Tokens> rows = {{}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Tokens row = rows[i];
    for (std::int32_t letter = 2; letter < count && row.size() < most; ++letter) {
      if (std::find(row.begin(), row.end(), letter) != row.end()) continue;
      rows.push_back(row);
      rows.back().push_back(letter);
    }
  }
  for (Tokens& row : rows) row.push_back(kEnd);
  return rows;
}

Tensor logits_of(const MultiHeadAttention& cross, const IndexTensor& source, std::int32_t last) {
  const Index count = cross.query.weight.size(0);
  return cross(one_hot(IndexTensor({1, 1}, {last}), count), one_hot(source, count),
               {.mask = padding_mask(source, kPadding)});
}

/// Steps of one row: after each token it must name the next.
void try_sorter(const std::string& what, std::int32_t count, const std::vector<Tokens>& rows,
                std::size_t length = 0) {
  const MultiHeadAttention cross = sorter_of_mine(count);
  for (const Tokens& row : rows) {
    Tokens sorted = row;
    std::sort(sorted.begin(), sorted.end() - 1);  // the end stays
    std::int32_t last = kEnd;
    for (const std::int32_t next : sorted) {
      const Tensor logits = logits_of(cross, padded({row}, length), last);
      gradus::must_be_finite(what, logits);
      const std::int32_t got = argmax(logits, -1).data()[0];
      if (got != next) {
        gradus::red(what, "\nsource ", list(row), ", last token ", list(Tokens{last}),
                    ": the next is ", list(Tokens{next}), ", and got ", list(Tokens{got}));
      }
      last = next;
    }
  }
  gradus::green(what);
}

/// Writes as asked, step by step.
IndexTensor right_write(const MultiHeadAttention& cross, const IndexTensor& source, Index longest) {
  const Index batch = source.size(0), length = source.size(1);
  std::vector<Tokens> rows;
  for (Index b = 0; b < batch; ++b) {
    const auto* from = source.data() + b * length;
    const IndexTensor one({1, length}, {from, from + length});
    std::int32_t last = kEnd;
    rows.emplace_back();
    for (Index n = 0; n < longest && (n == 0 || last != kEnd); ++n) {
      rows.back().push_back(last = argmax(logits_of(cross, one, last), -1).data()[0]);
    }
  }
  return padded(rows);
}

void try_write(const std::string& what, const MultiHeadAttention& cross, const IndexTensor& source,
               Index longest) {
  const IndexTensor got = my_write(cross, source, longest);
  const IndexTensor right = right_write(cross, source, longest);
  if (got.shape() != right.shape()) {
    gradus::red(what, ": got ", got.shape(), ", expected ", right.shape(),
                "\nlikely cause: it stops when all rows have ended, or after `longest` steps");
  }
  for (Index b = 0; b < right.size(0); ++b) {
    const auto row = [&](const IndexTensor& x) {
      const auto* first = x.data() + b * x.size(1);
      return list(Tokens(first, first + x.size(1)));
    };
    if (row(got) == row(right)) continue;
    gradus::red(what, "\nsource   ", row(source), "\ngot      ", row(got), "\nexpected ",
                row(right));
  }
}

}  // namespace

CHECK_ANSWER() {
  const NoGrad no_grad;
  try_sorter("your weights: every order of up to 4 of 4 letters", 6, all_rows(6, 4));
  const std::vector<Tokens> long_rows = {{9, 31, 2, 17, 30, 5, 28, 11, 3, 24, 1},
                                         {31, 30, 29, 4, 3, 2, 1}};
  try_sorter("your weights: 30 letters", 32, long_rows);
  try_sorter("your weights: the same, with 9 paddings", 32, long_rows, 20);

  const auto ascending = [](Index a, Index b) { return b == kEnd ? -50 : b > a ? -b : -100; };
  const auto descending = [](Index a, Index b) {
    return b == kEnd ? -50 : b < a || a == kEnd ? int(b) : -100;
  };
  const IndexTensor source = padded({{3, 1}, {4, 2, 5, 3, 1}, {5, 2, 1}, {1}});
  try_write("writing in ascending order", by_scores(6, ascending), source, 9);
  try_write("writing in descending order", by_scores(6, descending), source, 9);
  try_write("one row", by_scores(6, descending), padded({{2, 5, 1}}), 9);
  gradus::green("writing rows that end at different steps");
  try_write("a model that prefers padding",
            by_scores(6, [&](Index a, Index b) { return b == kPadding ? 100 : ascending(a, b); }),
            source, 9);
  gradus::green("writing with the source's padding hidden");
  for (const Index longest : {1, 4}) {
    try_write("a model that never ends, longest " + std::to_string(longest),
              by_scores(6, [](Index a, Index b) { return b > kEnd && b != a ? -b : -50; }),
              padded({{4, 2, 5, 3, 1}, {2, 3, 1}}), longest);
  }
  gradus::green("a model that never ends stops after `longest` steps");
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    MultiHeadAttention random = empty(9);
    std::uint64_t place = 10 * seed;
    for (Linear* map : maps(random)) map->weight = normal({9, 9}, {.seed = ++place});
    try_write("random weights", random, padded({{8, 3, 6, 2, 1}, {5, 4, 1}, {7, 2, 3, 4, 5, 1}}),
              12);
  }
  gradus::green("writing with random weights");
  const MultiHeadAttention mine = sorter_of_mine(12);
  const IndexTensor both = my_write(mine, padded({{11, 7, 2, 9, 1}, {8, 3, 1}}), 9);
  if (list(Tokens(both.begin(), both.end())) != "2 7 9 11 . 3 8 . - -")
    gradus::red("your weights, written by you: got ", list(Tokens(both.begin(), both.end())));
  gradus::green("your weights, written by you");
}
