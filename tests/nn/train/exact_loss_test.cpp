#include "nn/train/exact_loss.h"

#include <algorithm>

#include "nn/train/trainer.h"
#include "tests/autograd/expect.h"
#include "tests/nn/tiny_run.h"

using namespace gradus;

TEST_CASE("exact loss: every token but the first is predicted once, whatever the batch size") {
  const TinyRun run;
  Gpt model(run.config, 3);
  const std::span<const std::int32_t> tokens = run.corpus.tokens(Split::kAll).first(60);
  // 59 predictions: eight blocks of 7 and one of 3.
  double sum = 0;
  for (std::size_t begin = 0; begin < 59; begin += 7) {
    const std::size_t length = std::min<std::size_t>(7, 59 - begin);
    const Shape shape{1, static_cast<Index>(length)};
    sum += static_cast<double>(length) *
           model
               .loss(IndexTensor(shape, tokens.subspan(begin, length)),
                     IndexTensor(shape, tokens.subspan(begin + 1, length)))
               .item();
  }
  for (const int batch_size : {1, 3, 8, 100}) {
    std::vector<double> shares;
    const ExactLoss exact =
        exact_loss(model, tokens, batch_size, [&](double share) { shares.push_back(share); });
    CHECK(exact.tokens == 59);
    CHECK(exact.loss == doctest::Approx(sum / 59).epsilon(kSameMaths));
    CHECK(shares.back() == 1);
    CHECK(std::ranges::is_sorted(shares));
  }
  CHECK(exact_loss(model, tokens.first(2), 5).tokens == 1);
  CHECK_FAILS(exact_loss(model, tokens.first(1), 5), "at least two tokens, got 1");
  CHECK_FAILS(exact_loss(model, tokens, 0), "--batch_size must be at least 1, got 0");
}
