#include "tutorials/common/check.h"

#include <filesystem>

#include "tutorials/24_other_peoples_weights/gpt2_folder.h"
#include "tutorials/25_the_block_of_today/exercises.h"
#include "tutorials/25_the_block_of_today/llama_folder.h"

namespace {

/// The same by wavelengths, as in Meta's code.
double right(double f, double s, double trained, double low, double high) {
  const double wave = 2 * std::numbers::pi / f;
  if (wave > trained / low) return f / s;
  if (wave < trained / high) return f;
  const double smooth = (trained / wave - low) / (high - low);
  return (1 - smooth) * f / s + smooth * f;
}

void check_at(const std::string& what, Index width, double base, double s, Index trained,
              double low, double high) {
  const std::vector<double> given = rotary_frequencies(width, base);
  const std::vector<double> got = slow_pairs(given, s, trained, low, high);
  if (got.size() != given.size()) {
    gradus::red(what, ": got ", got.size(), " frequencies, expected ", given.size());
  }
  for (std::size_t k = 0; k < given.size(); ++k) {
    const double expected = right(given[k], s, double(trained), low, high);
    gradus::expect_number(what + ": pair " + std::to_string(k) + ", times 1000", 1000 * got[k],
                          1000 * expected, 1e-7);
  }
  gradus::green(what);
}

/// Prints the losses of the page's model, which was trained on 64 tokens, when it reads 256 with
/// these frequencies.
void read_longer() {
  const std::string folder = std::filesystem::path(COURSE_TALES).parent_path() /
                             "../../../tutorials/25_the_block_of_today/tales_llama";
  const std::string text = read_text(COURSE_TALES);
  const Tokens tokens = Gpt2Tokenizer(folder).encode(text.substr(text.size() * 29 / 30, 8000));
  Llama model = read_llama(folder);
  const auto usual = rotary_frequencies(model.config.width(), model.config.rope_theta);
  model.rotate_by(rotary_table(256, slow_pairs(usual, 4, 64, 1, 4)));
  const NoGrad no_grad;
  double losses[4] = {};
  constexpr Index kRows = 8;
  for (Index i = 0; i < kRows; ++i) {
    const Batch row = batch_at(tokens, {256 * i}, 256);
    const Tensor all = log_softmax(model(row.inputs));
    for (Index t = 0; t < 256; ++t) {
      losses[t / 64] -= all.data()[t * all.size(-1) + row.targets.data()[t]] / double(64 * kRows);
    }
  }
  std::printf("positions   0 to 63   64 to 127   128 to 191   192 to 255\n");
  std::printf("your loss %9.2f %11.2f %12.2f %12.2f\n", losses[0], losses[1], losses[2], losses[3]);
  std::fflush(stdout);
}

}  // namespace

CHECK_ANSWER() {
  check_at("16 channels, trained on 64", 16, 10000, 4, 64, 0.5, 3);
  check_at("12 channels, trained on 100", 12, 10000, 8, 100, 1, 4);
  check_at("Llama 3.1: 128 channels, trained on 8192", 128, 500000, 8, 8192, 1, 4);
  check_at("all pairs are fast", 8, 10, 4, 100000, 1, 4);
  check_at("all pairs are slow", 8, 10000, 2.5, 4, 1, 4);
  read_longer();
}
