#include "tutorials/16_writing/exercises.h"
#include "tutorials/common/check.h"

using gradus::green;
using gradus::red;

namespace {

void ask(const std::string& what, const std::vector<double>& large,
         const std::vector<double>& small) {
  std::vector<double> got(large.size());
  double drafts_kept = 0, most_kept = 0;
  const int n = 200;
  for (std::size_t d = 0; d < small.size(); ++d) {
    most_kept += std::min(small[d], large[d]);
    for (int i = 0; i < n && small[d] > 0; ++i) {
      for (int j = 0; j < n; ++j) {
        const std::int32_t token =
            speculate(large, small, static_cast<std::int32_t>(d), (i + 0.5) / n, (j + 0.5) / n);
        if (token < 0 || token >= std::ssize(large)) red(what + ": that is no token");
        got[static_cast<std::size_t>(token)] += small[d] / (n * n);
        drafts_kept += static_cast<std::size_t>(token) == d ? small[d] / (n * n) : 0;
      }
    }
  }
  std::string table = "\n  token  large  small  got";
  bool same = true;
  for (std::size_t i = 0; i < large.size(); ++i) {
    char row[80];
    std::snprintf(row, sizeof row, "\n  %5d  %.3f  %.3f  %.3f", static_cast<int>(i), large[i],
                  small[i], got[i]);
    table += row;
    same = same && std::abs(got[i] - large[i]) < 0.006;
  }
  if (!same)
    red(what + ": how often each token comes out; it must be as the large model says" + table);
  if (drafts_kept < most_kept - 0.01) {
    red(what + ": right, but fewer drafts are kept than could be: the gain is lost" + table);
  }
  green(what);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    ask("models that differ a little", {0.5, 0.3, 0.2}, {0.4, 0.4, 0.2});
    ask("models that differ much", {0.05, 0.15, 0.1, 0.7}, {0.6, 0.2, 0.1, 0.1});
    ask("two tokens drafted too rarely", {0.3, 0.1, 0.5, 0.1}, {0.2, 0.4, 0.1, 0.3});
    ask("the same model", {0.25, 0.75}, {0.25, 0.75});
    ask("twelve tokens", {.3, .01, .04, .1, .05, .1, .02, .08, .1, .05, .1, .05},
        {.1, .03, .02, .2, .15, .05, .02, .08, .05, .1, .15, .05});
    ask("a token that the large model forbids", {0.0, 0.4, 0.6}, {0.5, 0.5, 0.0});
  });
}
