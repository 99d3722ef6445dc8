#include <random>

#include "tutorials/22_from_pocket_to_gradus/checking.h"

using gradus::green, gradus::red;

namespace {

using Row = std::vector<Scalar>;
constexpr Scalar kHidden = -INFINITY;

Tensors values_of(const std::vector<Row>& blocks, Index width) {
  Tensors values;
  for (const Row& block : blocks) {
    values.push_back(normal({std::ssize(block), width}, {.seed = values.size() + 1}, 1));
  }
  return values;
}

/// The right answer for all blocks at once.
Tensor attended(const std::vector<Row>& blocks, const Tensors& values) {
  Row all;
  for (const Row& block : blocks) all.insert(all.end(), block.begin(), block.end());
  const Tensor weights = softmax(tensor({1, std::ssize(all)}, all));
  return reshape(matmul(weights, concat(values, 0).detach()), {-1});
}

void feed(OnlineSoftmax& mine, const std::string& what, const Row& block, const Tensor& values) {
  const Tensor scores = tensor({std::ssize(block)}, block);
  gradus::unchanged<Tensor>(what, {scores, values}, [&] { return mine.add(scores, values), 0; });
}

void hold(const std::string& what, const std::vector<Row>& blocks, Index width,
          double tolerance = 1e-5) {
  const Tensors values = values_of(blocks, width), kept = values_of(blocks, width);
  OnlineSoftmax mine;
  for (std::size_t b = 0; b < blocks.size(); ++b) feed(mine, what, blocks[b], values[b]);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (is_same(kept[b], values[b])) continue;
    red(what,
        ": the values of an earlier block have changed\nlikely cause: `mixed` shares their "
        "numbers; begin with a new tensor");
  }
  must_be_near(what, mine.result(), attended(blocks, values),
               "multiply both sums by e^(old - new) when the largest is another, whatever they are",
               tolerance);
}

/// One query's stream is no part of another's.
void must_stay_apart() {
  const std::vector<Row> blocks = {{1, 2}, {Scalar(0.5), 3}};
  const Tensors values = values_of(blocks, 3);
  OnlineSoftmax first, second;
  feed(first, "a first stream", blocks[0], values[0]);
  feed(second, "a second stream", blocks[1], values[1]);
  const Tensor got = second.result();
  if (got.defined() && gradus::is_close(gradus::as_library(got),
                                        gradus::as_library(attended(blocks, values)), 1e-5)) {
    red("a second stream goes on with the first\nlikely cause: something is kept in static or "
        "global variables; keep it in the struct");
  }
}

/// Streams of many kinds, drawn at random.
void must_hold_at_random() {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return Index(random() % n); };
  const std::vector<std::string> hidings = {"none", "the first", "the last", "a half", "all"};
  for (std::uint64_t round = 0; round < 200; ++round) {
    std::vector<Row> blocks;
    const Index width = std::vector<Index>{1, 3, 8, 100}[below(4)], most = 1 + below(5);
    const Scalar drift = std::vector<Scalar>{0, 3, -3, 40, -40, 1000, -1000}[below(7)];
    std::string what = "at random: E " + std::to_string(width) + ", blocks of";
    while (std::ssize(blocks) < most) {
      const Index n = std::vector<Index>{1, 2, 3, 8, 65, 300}[below(6)], hiding = below(5);
      const Index some = 1 + below(n);
      const Tensor drawn = normal({n}, {.seed = 10 * round + blocks.size()},
                                  drift * Scalar(blocks.size()), Scalar(1 + below(3)));
      Row row(drawn.begin(), drawn.end());
      for (Index i = 0; i < n; ++i) {
        const bool hidden[] = {false, i < some, i >= some, below(2) == 0, true};
        if (hidden[hiding]) row[i] = kHidden;
      }
      what += " " + std::to_string(n) + " keys (" + hidings[hiding] + " hidden)";
      blocks.push_back(row);
    }
    hold(what, blocks, width, 1e-4);
  }
  green("200 streams of many kinds");
}

/// A softmax of one score is 1.
void must_give_one_key_its_value() {
  for (const Scalar score : {Scalar(-3), Scalar(0), Scalar(2.5)}) {
    const Tensor value = normal({1, 4}, {.seed = 9}, 1);
    OnlineSoftmax mine;
    mine.add(tensor({1}, {score}), value);
    if (is_same(mine.result(), value)) continue;
    red("one key alone: got not exactly its value\nlikely cause: something is added to the sum, "
        "which is 1 at least; divide by 1 if it is 0");
  }
  green("one key alone gives its value");
}

/// result() leaves the stream unchanged, and is a new tensor, also if there is nothing to divide.
void must_go_on(const std::string& when, const Row& block) {
  const std::vector<Row> blocks = {block, {1, Scalar(0.5)}, {2, -1}};
  const Tensors values = values_of(blocks, 3);
  OnlineSoftmax mine;
  feed(mine, when, blocks[0], values[0]);
  const Tensor first = mine.result(), kept = copy_of(first);
  feed(mine, "the next block", blocks[1], values[1]);
  if (!is_same(kept, first)) {
    red("a result taken ", when,
        " changed when more blocks came\nlikely cause: it shares its numbers with `mixed`; divide "
        "into a new tensor, also where nothing is to be divided");
  }
  const Tensor right = attended({blocks[0], blocks[1]}, {values[0], values[1]});
  must_be_near("asked " + when + ", and after one more", mine.result(), right);
  must_be_near("asked twice", mine.result(), right);
  if (!is_same(kept, first)) {
    red("a result changed when the stream was asked for the next\nlikely cause: both are one "
        "static tensor; make a new one each time");
  }
  feed(mine, "the last block", blocks[2], values[2]);
  must_be_near("asked between blocks", mine.result(), attended(blocks, values));
  green("the stream goes on after a result ", when);
}

/// NoGrad may help within add(); afterwards ops are recorded if they were before.
void must_obey_no_grad() {
  const Tensor values = normal({2, 3}, {.seed = 1});
  OnlineSoftmax mine;
  feed(mine, "a block", {1, 2}, values), mine.result();
  must_record_as_before("a block", true);
  const NoGrad no_grad;
  feed(mine, "a block under NoGrad", {1, 2}, values), mine.result();
  must_record_as_before("a block under NoGrad", false);
}

/// 1000 blocks, with gradients as in training.
void must_keep_three_things() {
  std::vector<Row> blocks;
  Tensors scores;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    scores.push_back(normal({64}, {.seed = i + 7}).set_requires_grad());
    blocks.emplace_back(scores[i].begin(), scores[i].end());
  }
  Tensors values = values_of(blocks, 8);
  for (Tensor& each : values) each.set_requires_grad();
  const std::size_t before = heap.in_use;
  OnlineSoftmax mine;
  for (std::size_t i = 0; i < blocks.size(); ++i) mine.add(scores[i], values[i]);
  if (heap.in_use > before + 4096) {
    red("1000 blocks of 64: it keeps ", (heap.in_use - before) / 1024,
        " KB\nlikely cause: blocks, or their weights, are kept, by name or by recorded ops, whose "
        "closures keep them, or room for them; three things are enough");
  }
  must_be_near("1000 blocks of 64", mine.result(), attended(blocks, values),
               "keys of earlier blocks are forgotten; their share is in the three things", 1e-3);
  if (!mine.mixed.defined() || mine.mixed.shape() != Shape{8} ||
      !gradus::is_close(gradus::as_library(mine.mixed / mine.sum),
                        gradus::as_library(mine.result()), 1e-5)) {
    red("`mixed` / `sum` is not the result\nlikely cause: something else is kept; `mixed` is to be "
        "the sum of all e^(score - largest) value, and `sum` that of all e^(score - largest)");
  }
  green("no block is kept");
}

Row drawn_row(Index n) {
  const Tensor drawn = normal({n}, {.seed = 8}, 0, 1);
  return {drawn.begin(), drawn.end()};
}

}  // namespace

CHECK_ANSWER() {
  must_stay_apart();
  hold("one block", {{1, Scalar(-0.5), 2, 0, Scalar(0.3)}}, 3);
  hold("two blocks, the largest first", {{1, 3}, {0, 2, -1}}, 2);
  hold("three blocks, each with a larger one", {{0, 1}, {2, 1}, {Scalar(1.5), 3, 0}}, 4);
  hold("one value wide, one key a block", {{1}, {3}, {2}}, 1);
  hold("scores around -100000", {{-100000, -100001}, {-99999, -100002}}, 3);
  hold("scores around -200000", {{-200000, -200001}, {-199999, -200002}}, 3);
  hold("scores around -1e9", {{Scalar(-1e9), Scalar(-1.1e9)}, {Scalar(-1e9), Scalar(-2e9)}}, 3);
  hold("scores of -1e20", {{Scalar(-1e20)}, {Scalar(-1e20), Scalar(-1e20)}}, 3);
  hold("scores of 1e9", {{Scalar(1e9), 0}, {Scalar(1e9), Scalar(-1e9)}}, 3);
  hold("scores of some thousand, larger and larger", {{-1000, 500}, {3000, 2999}, {8000, 8001}}, 3);
  hold("and smaller and smaller", {{8000, 8001}, {3000, 2999}, {-1000, 500}}, 3);
  hold("the first key of a block hidden", {{1, 0}, {kHidden, 2, 1}, {Scalar(0.5)}}, 3);
  hold("the last key of a block hidden", {{1, 0}, {2, 1, kHidden}, {Scalar(0.5)}}, 3);
  hold("both ends of a block hidden", {{1, 0}, {kHidden, 2, kHidden}, {Scalar(0.5)}}, 3);
  hold("hidden keys among others", {{kHidden, 1}, {2, kHidden, 0}}, 3);
  hold("a hidden block last", {{1, 0}, {kHidden, kHidden}}, 3);
  hold("a hidden block first", {{kHidden, kHidden}, {1, 0}, {2, -3}}, 3);
  hold("after a hidden block, scores near -200", {{kHidden, kHidden}, {-200, -201}}, 2);
  hold("hidden keys alone", {{kHidden}, {kHidden, kHidden}}, 2);
  green("large and hidden scores");
  must_give_one_key_its_value();
  must_go_on("after a block", {1, 2});
  must_go_on("while all was hidden", {kHidden, kHidden});
  must_go_on("of one key", {Scalar(0.5)});
  must_obey_no_grad();
  must_keep_three_things();
  // Each of many small weights is four times a float's last digit at 1, and the sum is exact.
  std::vector<Row> blocks(21, Row(64, Scalar(std::log(4 * 1.1920929e-7))));
  blocks[0] = {0};
  hold("one score of 0, and 1280 of -14.56: small weights", blocks, 3);
  must_hold_at_random();
  hold("a block of 5000 keys", {drawn_row(3), drawn_row(5000)}, 3);
  hold("values 600 wide", {drawn_row(5), drawn_row(4)}, 600);
}
