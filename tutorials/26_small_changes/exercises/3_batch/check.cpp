#include "tutorials/26_small_changes/exercises.h"
#include "tutorials/common/compare.h"

using gradus::green, gradus::red;

namespace {

/// Pairs of rank 1, 2, 3, ..., each with its own factor, as if they had been trained.
std::vector<LowRank> pairs_of(Index count, Index in, Index out) {
  KeySequence keys(7);
  std::vector<LowRank> pairs;
  for (Index i = 0; i < count; ++i) {
    pairs.emplace_back(in, out, LoraOptions{.rank = i + 1, .alpha = Scalar(2 + 3 * i)}, keys);
    pairs.back().b = normal(pairs.back().b.shape(), keys.next()).set_requires_grad();
  }
  return pairs;
}

/// The right result, from one whole matrix for each row.
Tensor expected_of(const Tensor& x, const Tensor& weight, const std::vector<LowRank>& pairs,
                   const std::vector<Index>& which) {
  std::vector<Tensor> rows;
  for (Index b = 0; b < x.size(0); ++b) {
    const Tensor row = slice(x, 0, b, b + 1);
    const Index pair = which[std::size_t(b)];
    rows.push_back(matmul(
        row, pair < 0 ? weight
                      : weight + matmul(pairs[std::size_t(pair)].a, pairs[std::size_t(pair)].b) *
                                     pairs[std::size_t(pair)].scale));
  }
  return concat(rows, 0);
}

void ask(const std::string& what, Index time, const std::vector<Index>& which, Scalar large = 1) {
  const Index in = 5, out = 4;
  Tensor x = normal({std::ssize(which), time, in}, {1}) * large;
  Tensor weight = normal({in, out}, {2});
  x.set_requires_grad();
  std::vector<LowRank> pairs = pairs_of(3, in, out);
  std::vector<NamedTensor> leaves = {{"x", x}};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    leaves.push_back({"A of pair " + std::to_string(i), pairs[i].a});
    leaves.push_back({"B of pair " + std::to_string(i), pairs[i].b});
  }
  compare(
      what, leaves,
      [&] {
        return gradus::unchanged<Tensor>(what, {weight},
                                         [&] { return in_one_batch(x, weight, pairs, which); });
      },
      [&] { return expected_of(x, weight, pairs, which); });
}

}  // namespace

CHECK_ANSWER() {
  ask("pairs 2, 0, 1, 0", 3, {2, 0, 1, 0});
  ask("one row, pair 1", 2, {1});
  ask("no pair, 1, no pair, 2", 2, {-1, 1, -1, 2});
  ask("one position", 1, {1, 2});
  ask("more rows than pairs, numbers of about 10000", 3, {0, 2, 2, 1, 0}, 1e4f);

  Tensor weight = normal({5, 4}, {3}).set_requires_grad();
  const std::vector<LowRank> pairs = pairs_of(1, 5, 4);
  const auto nodes_of = [&](Index rows) {
    const Index before = nodes_made;
    in_one_batch(ones({rows, 2, 5}), weight, pairs, std::vector<Index>(std::size_t(rows), -1));
    return nodes_made - before;
  };
  const Index few = nodes_of(1), many = nodes_of(20);
  if (many > few) {
    red("1 row and 20 rows without a pair record ", few, " and ", many,
        " nodes\nlikely cause: W is multiplied for each row; x W for the whole batch is one "
        "product");
  }
  green("one product with W for the whole batch");
}
