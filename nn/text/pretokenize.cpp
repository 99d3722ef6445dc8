#include "nn/text/pretokenize.h"

#include <string>

#include "nn/text/pattern.h"
#include "nn/text/utf8.h"

namespace gradus {
namespace {

const Pattern& gpt2_pattern() {
  static const std::string blank = kBlank;
  static const Pattern pattern(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^)" + blank +
                               R"(\p{L}\p{N}]+|[)" + blank + R"(]+(?![^)" + blank + "])|[" + blank +
                               "]+");
  return pattern;
}

/// The end of the run of valid or of invalid bytes that starts at `at`.
std::size_t end_of_run(std::string_view text, std::size_t at, bool valid) {
  while (at < text.size()) {
    const Utf8Char read = read_utf8(text, at);
    if ((read.state == Utf8::kValid) != valid) break;
    at += read.length;
  }
  return at;
}

}  // namespace

void for_each_pretoken(std::string_view text, const std::function<void(std::string_view)>& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_run(text, at, true);
    gpt2_pattern().each(text.substr(at, end - at), visit);
    at = end_of_run(text, end, false);
    if (at > end) visit(text.substr(end, at - end));
  }
}

}  // namespace gradus
