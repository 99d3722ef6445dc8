#include <random>
#include <string>

#include "tutorials/22_from_pocket_to_gradus/checking.h"
#include "tutorials/22_from_pocket_to_gradus/exercises.h"
#include "tutorials/common/guards.h"

using gradus::as_library, gradus::green, gradus::red;

namespace {

using Row = std::vector<Scalar>;
constexpr Scalar kHidden = -INFINITY;

std::vector<Tensor> values_of(const std::vector<Row>& blocks, Index width) {
  std::vector<Tensor> values;
  for (const Row& block : blocks) {
    values.push_back(
        normal({std::ssize(block), width}, {.seed = std::uint64_t(values.size() + 1)}, 1));
  }
  return values;
}

/// The right answer, in double.
Tensor attended(const std::vector<Row>& blocks, const std::vector<Tensor>& values) {
  const Index width = values.at(0).size(-1);
  std::vector<double> mixed(width);
  double largest = -1e30, sum = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const double before = largest;
    for (const Scalar x : blocks[b]) largest = std::max(largest, double{x});
    sum *= std::exp(before - largest);
    for (double& m : mixed) m *= std::exp(before - largest);
    for (std::size_t s = 0; s < blocks[b].size(); ++s) {
      const double weight = std::exp(blocks[b][s] - largest);
      sum += weight;
      for (Index e = 0; e < width; ++e) {
        mixed[e] += weight * double{values[b].data()[Index(s) * width + e]};
      }
    }
  }
  std::vector<Scalar> all;
  for (const double m : mixed) all.push_back(sum > 0 ? Scalar(m / sum) : 0);
  return tensor({width}, all);
}

void feed(OnlineSoftmax& mine, const std::string& what, const Row& block, const Tensor& values) {
  const Tensor scores = tensor({std::ssize(block)}, block);
  gradus::unchanged<Tensor>(what, {scores, values}, [&] {
    mine.add(scores, values);
    return 0;
  });
}

void must_be(const std::string& what, const Tensor& got, const std::vector<Row>& blocks,
             const std::vector<Tensor>& values) {
  if (!got.defined()) red(what + ": got nothing");
  const bool hidden = std::any_of(blocks.begin(), blocks.end(), [](const Row& block) {
    return *std::max_element(block.begin(), block.end()) == kHidden;
  });
  gradus::must_be_finite(
      what, got,
      hidden ? "a block of hidden keys alone: -inf minus -inf is NaN, so keep the largest at -1e30 "
               "or more; and do not divide by a sum of 0"
             : "e^x of what is too large or too small: subtract the largest of all scores so far, "
               "which may be below 0, and scale by e^(old - new), never by its inverse");
  gradus::expect(what, as_library(got), as_library(attended(blocks, values)), "", 1e-5);
}

void hold(const std::string& what, const std::vector<Row>& blocks, Index width) {
  const std::vector<Tensor> values = values_of(blocks, width), kept = values_of(blocks, width);
  OnlineSoftmax mine;
  for (std::size_t b = 0; b < blocks.size(); ++b) feed(mine, what, blocks[b], values[b]);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (std::equal(kept[b].begin(), kept[b].end(), values[b].begin())) continue;
    red(what +
        ": the values of an earlier block have changed\nlikely cause: `mixed` shares their "
        "numbers; begin with a new tensor");
  }
  must_be(what, mine.result(), blocks, values);
}

Row drawn_row(Index n) {
  const Tensor drawn = normal({n}, {.seed = 8}, 0, 1);
  return {drawn.begin(), drawn.end()};
}

/// One query's stream is no part of another's.
void must_stay_apart() {
  const std::vector<Row> blocks = {{1, 2}, {Scalar(0.5), 3}};
  const std::vector<Tensor> values = values_of(blocks, 3);
  OnlineSoftmax first, second;
  feed(first, "a first stream", blocks[0], values[0]);
  feed(second, "a second stream", blocks[1], values[1]);
  const Tensor got = second.result();
  if (got.defined() &&
      gradus::is_close(as_library(got), as_library(attended(blocks, values)), 1e-5)) {
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
    bool is_long = false;
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
      is_long = is_long || n > 64;
      blocks.push_back(row);
    }
    const std::vector<Tensor> values = values_of(blocks, width);
    OnlineSoftmax mine;
    for (std::size_t b = 0; b < blocks.size(); ++b)
      mine.add(tensor({std::ssize(blocks[b])}, blocks[b]), values[b]);
    const Tensor got = mine.result(), right = attended(blocks, values);
    if (got.defined() && gradus::is_close(as_library(got), as_library(right), 1e-4)) continue;
    gradus::print_both(as_library(got), as_library(right));
    red(what + "\nlikely cause: " +
        (width > 64 ? "a value may be wider than 64"
         : is_long  ? "a block may have more than 64 keys; or visible ones of it are left out"
                    : "what was hidden so far, or is far below the largest, is scaled like all "
                      "else: multiply both sums by e^(old - new), whatever they are"));
  }
  green("200 streams of many kinds");
}

/// A softmax of one score is 1.
void must_give_one_key_its_value() {
  for (const Scalar score : {Scalar(-3), Scalar(0), Scalar(2.5)}) {
    const Tensor value = normal({1, 4}, {.seed = 9}, 1);
    OnlineSoftmax mine;
    mine.add(tensor({1}, {score}), value);
    const Tensor got = mine.result();
    if (got.defined() && !std::equal(got.begin(), got.end(), value.begin()))
      red("one key alone: got not exactly its value\nlikely cause: something is added to the sum, "
          "which is 1 at least; divide by 1 if it is 0");
  }
  green("one key alone gives its value");
}

/// Small weights may be many. Each is four times a float's last digit at 1, and the sum is exact.
void must_keep_small_weights() {
  const auto small = Scalar(std::log(4 * 1.1920929e-7));
  std::vector<Row> blocks(21, Row(64, small));
  blocks[0] = {0};
  const std::vector<Tensor> values = values_of(blocks, 3);
  OnlineSoftmax mine;
  for (std::size_t b = 0; b < blocks.size(); ++b) feed(mine, "a long tail", blocks[b], values[b]);
  const Tensor got = mine.result();
  if (got.defined() &&
      gradus::is_close(as_library(got), as_library(attended({blocks[0]}, {values[0]})), 1e-6)) {
    red("one score of 0, and 1280 of -14.56: got the first one's value\nlikely cause: small "
        "weights "
        "are left out; together they may be much");
  }
  must_be("one score of 0, and 1280 of -14.56", got, blocks, values);
}

/// A result is a new tensor, also where nothing is to be divided.
void must_keep_results(const std::string& when, const Row& block) {
  const std::vector<Row> blocks = {block, {1, Scalar(0.5)}};
  const std::vector<Tensor> values = values_of(blocks, 3);
  OnlineSoftmax mine;
  feed(mine, when, blocks[0], values[0]);
  const Tensor first = mine.result();
  const Row kept(first.begin(), first.end());
  feed(mine, when + ", and the next block", blocks[1], values[1]);
  if (!std::equal(kept.begin(), kept.end(), first.begin())) {
    red("a result taken " + when +
        " changed when more blocks came\nlikely cause: it is `mixed`, or "
        "shares its numbers, where nothing is to be divided; give a new tensor there, too");
  }
  must_be("a result taken " + when + ", and the next", mine.result(), blocks, values);
}

/// result() leaves the stream as it is.
void must_go_on() {
  const std::vector<Row> blocks = {{1, 2}, {Scalar(0.5), 3}, {2, -1}};
  const std::vector<Tensor> values = values_of(blocks, 3);
  OnlineSoftmax mine;
  feed(mine, "the first block", blocks[0], values[0]);
  const Tensor first = mine.result();
  const Row kept(first.begin(), first.end());
  feed(mine, "the next block", blocks[1], values[1]);
  if (!std::equal(kept.begin(), kept.end(), first.begin())) {
    red("a result changed when more blocks came\nlikely cause: it shares its numbers with `mixed`; "
        "divide into a new tensor");
  }
  must_be("asked between blocks: 2 of 3", mine.result(), {blocks[0], blocks[1]},
          {values[0], values[1]});
  must_be("asked twice", mine.result(), {blocks[0], blocks[1]}, {values[0], values[1]});
  if (!std::equal(kept.begin(), kept.end(), first.begin())) {
    red("a result changed when the stream was asked for the next\nlikely cause: both are one "
        "static "
        "tensor; make a new one each time");
  }
  feed(mine, "the last block", blocks[2], values[2]);
  must_be("asked between blocks: 3 of 3", mine.result(), blocks, values);
  green("the stream goes on after a result");
}

/// NoGrad may help within add(); afterwards ops are recorded if they were before.
void must_obey_no_grad() {
  const std::vector<Row> blocks = {{1, 2}, {Scalar(0.5), 3}};
  const std::vector<Tensor> values = values_of(blocks, 3);
  OnlineSoftmax mine;
  feed(mine, "a block", blocks[0], values[0]);
  mine.result();
  if (!pocket::recording) {
    red("nothing is recorded any more\nlikely cause: `recording` is set by hand, and stays; a "
        "NoGrad gives it back");
  }
  const NoGrad no_grad;
  feed(mine, "a block under NoGrad", blocks[1], values[1]);
  mine.result();
  if (pocket::recording) {
    red("ops are recorded again within a NoGrad of its caller\nlikely cause: `recording` is set by "
        "hand; a NoGrad gives back what was before");
  }
}

void must_keep_three_things() {
  const Index many = 1000, width = 8;
  std::vector<Row> blocks;
  std::vector<Tensor> all;
  for (Index i = 0; i < many; ++i) {
    all.push_back(normal({64}, {.seed = std::uint64_t(i) + 7}));
    blocks.emplace_back(all.back().begin(), all.back().end());
  }
  std::vector<Tensor> values = values_of(blocks, width);
  for (Index i = 0; i < many; ++i)
    all[i].set_requires_grad(), values[i].set_requires_grad();  // as in training
  const std::size_t before = heap.in_use;
  OnlineSoftmax mine;
  for (Index i = 0; i < many; ++i) mine.add(all[i], values[i]);
  if (heap.in_use > before + 4096) {
    red("1000 blocks of 64: it keeps " + std::to_string((heap.in_use - before) / 1024) +
        " KB\nlikely cause: blocks, or their weights, are kept, by name or by recorded ops, whose "
        "closures keep them, or room for them; three things are enough");
  }
  if (!gradus::is_close(as_library(mine.result()), as_library(attended(blocks, values)), 1e-3)) {
    red("1000 blocks of 64: the result is not that of all keys\nlikely cause: keys of earlier "
        "blocks are forgotten; their share is in the three things");
  }
  if (!mine.mixed.defined() || mine.mixed.shape() != Shape{width} ||
      !gradus::is_close(as_library(mine.mixed / mine.sum), as_library(mine.result()), 1e-5)) {
    red("`mixed` / `sum` is not the result\nlikely cause: something else is kept; `mixed` is to be "
        "the sum of all e^(score - largest) value, and `sum` that of all e^(score - largest)");
  }
  green("no block is kept");
}

}  // namespace

int main() {
  return gradus::run_check([] {
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
    hold("scores of some thousand, larger and larger", {{-1000, 500}, {3000, 2999}, {8000, 8001}},
         3);
    hold("and smaller and smaller", {{8000, 8001}, {3000, 2999}, {-1000, 500}}, 3);
    hold("the first key of a block hidden", {{1, 0}, {kHidden, 2, 1}, {Scalar(0.5)}}, 3);
    hold("the last key of a block hidden", {{1, 0}, {2, 1, kHidden}, {Scalar(0.5)}}, 3);
    hold("both ends of a block hidden", {{1, 0}, {kHidden, 2, kHidden}, {Scalar(0.5)}}, 3);
    hold("hidden keys among others", {{kHidden, 1}, {2, kHidden, 0}}, 3);
    hold("a hidden block last", {{1, 0}, {kHidden, kHidden}}, 3);
    hold("a hidden block first", {{kHidden, kHidden}, {1, 0}, {2, -3}}, 3);
    hold("after a hidden block, scores near -200", {{kHidden, kHidden}, {-200, -201}}, 2);
    hold("hidden keys alone", {{kHidden}, {kHidden, kHidden}}, 2);
    must_give_one_key_its_value();
    must_go_on();
    must_keep_results("while all was hidden", {kHidden, kHidden});
    must_keep_results("of one key", {Scalar(0.5)});
    must_obey_no_grad();
    must_keep_three_things();
    must_keep_small_weights();
    must_hold_at_random();
    hold("a block of 5000 keys", {drawn_row(3), drawn_row(5000)}, 3);
    hold("values 600 wide", {drawn_row(5), drawn_row(4)}, 600);
  });
}
