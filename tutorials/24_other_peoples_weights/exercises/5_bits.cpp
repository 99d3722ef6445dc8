// Exercise 24.5, 15 minutes: say first with how many bits a weight the loss is still good.
#include <cstdio>
#include <filesystem>

#include "tutorials/24_other_peoples_weights/gpt2_folder.h"

const std::filesystem::path kRoot =
    std::filesystem::path(COURSE_FABLES).parent_path() / ".." / ".." / "..";
const std::string kFolder = kRoot / "tutorials/24_other_peoples_weights/fables_gpt";

/// Each number becomes the nearest of 2^bits - 1 equidistant ones, from -m to m; m is the largest
/// absolute value in its group: the whole matrix, or one row of it.
Tensor rounded(const Tensor& x, int bits, bool by_row) {
  const Index group = by_row ? x.size(-1) : x.size();
  Tensor y(x.shape());
  for (Index first = 0; first < x.size(); first += group) {
    Scalar most = 0;
    for (Index i = first; i < first + group; ++i) most = std::max(most, std::abs(x.data()[i]));
    const Scalar step = most / Scalar((1 << (bits - 1)) - 1);
    for (Index i = first; i < first + group; ++i) {
      y.mutable_data()[i] = step > 0 ? std::round(x.data()[i] / step) * step : 0;
    }
  }
  return y;
}

int main() {
  const std::string fables = read_text(COURSE_FABLES);
  const Tokens all = Gpt2Tokenizer(kFolder).encode(fables.substr(fables.size() * 9 / 10));
  const Tokens tokens(all.begin(), all.begin() + 40 * 64 + 1);
  std::printf("32 bits               loss %.3f\n", mean_loss(tokens, 64, read_gpt2(kFolder)));
  for (const bool by_row : {false, true}) {
    for (const int bits : {8, 6, 5, 4, 3, 2}) {
      Gpt model = read_gpt2(kFolder);
      visit_parameters(model, [&](const std::string&, Tensor& x) {
        if (x.rank() == 2) x = rounded(x, bits, by_row);
      });
      std::printf("%2d bits, %-11s  loss %.3f\n", bits, by_row ? "by row" : "by matrix",
                  mean_loss(tokens, 64, model));
    }
  }
}
