#include "tutorials/common/check.h"

#include "tutorials/13_relative_positions/exercises.h"
#include "tutorials/common/letters.h"

namespace {

using course::letter_before;

constexpr Index kTrained = 16, kLongest = 64, kRows = 24;

/// The page's reader.
struct Reader {
  explicit Reader(KeySequence& keys)
      : letters(8, 32, keys), attention(32, 4, keys, {}), output(32, 8, keys) {}
  void use(const Tensor& table) {
    attention.rotate = [=](const Tensor& x, Index first) { return rotary(x, table, first); };
  }
  Tensor operator()(const IndexTensor& tokens) const {
    const Tensor x = letters(tokens);
    return output(attention(x, x, {.causal = true}));
  }
  void fields(auto&& f) { f("letters", letters), f("attention", attention), f("output", output); }
  Embedding letters;
  MultiHeadAttention attention;
  Linear output;
};

Reader trained_reader(std::uint64_t seed) {
  KeySequence keys(seed);
  Reader reader(keys);
  reader.use(rotary_table(kTrained, 8, 10000));
  AdamW optimiser(parameters(reader), {.weight_decay = 0});
  const Schedule schedule{.rate = 0.01, .floor = 0.001, .warmup = 10, .decay = 200};
  train(optimiser, {.steps = 200, .schedule = schedule}, [&](int step) {
    const Batch batch = letter_before(4, kTrained, {seed, static_cast<std::uint32_t>(step)});
    return cross_entropy(reader(batch.inputs), batch.targets);
  });
  return reader;
}

void check_table(const Tensor& table) {
  const std::string what = "the table of 64 positions";
  if (!table.defined() || table.shape() != Shape{kLongest, 8}) {
    gradus::red(what, ": ", gradus::shape_got(table), ", expected [64, 8]");
  }
  gradus::must_be_finite(what, table);
  for (Index i = 0; i < kLongest * 4; ++i) {
    const Scalar cos = table.data()[i / 4 * 8 + i % 4], sin = table.data()[i / 4 * 8 + i % 4 + 4];
    if (gradus::is_near(cos * cos + sin * sin, 1)) continue;
    gradus::red(what, ": row ", i / 4, ", pair ", i % 4,
                " is no rotation\nlikely cause: columns c and c + 4 are a cosine and a sine");
  }
  const Tensor shorter = further_table(20);
  if (!std::equal(shorter.begin(), shorter.end(), table.begin())) {
    gradus::red(what,
                ": rows do not depend on how many there are, but further_table(20) has others");
  }
  gradus::green(what, " is one of rotations");
}

/// Prints the shares of two readers by eights; wants nearly all answers right in each.
void check_readers(const Tensor& table) {
  std::vector<double> right(kLongest), mean(8);
  const Batch test = letter_before(kRows, kLongest, {.seed = 999});
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Reader reader = trained_reader(seed);
    reader.use(table);
    const NoGrad no_grad;
    const IndexTensor answers = argmax(reader(test.inputs), -1);
    for (Index i = 0; i < test.targets.size(); ++i) {
      right[std::size_t(i % kLongest)] += answers.data()[i] == test.targets.data()[i];
    }
  }
  std::printf("positions   1-7   8-15  16-23  24-31  32-39  40-47  48-55  56-63\n    right");
  double least_far = 1;
  for (Index b = 0; b < 8; ++b) {
    const Index begin = std::max<Index>(8 * b, 1);
    for (Index t = begin; t < 8 * b + 8; ++t) {
      mean[b] += right[t] / double(2 * kRows * (8 * b + 8 - begin));
    }
    std::printf("  %.3f", mean[b]);
    if (b > 1) least_far = std::min(least_far, mean[b]);
  }
  std::printf("\n");
  std::fflush(stdout);
  if (!(std::min(mean[0], mean[1]) > 0.98)) {
    gradus::red(
        "two trained readers do not read 64 positions, not even within the first 16\n"
        "likely cause: a pair that tells near keys apart turns too fast or too slowly");
  }
  if (!(least_far > 0.97)) {
    gradus::red(
        "two trained readers read 16 positions, but not beyond\n"
        "likely cause: a pair comes round before 64 steps");
  }
  gradus::green("two trained readers read 64 positions with your table");
}

}  // namespace

CHECK_ANSWER() {
  const Tensor table = further_table(kLongest);
  check_table(table);
  check_readers(table);
}
