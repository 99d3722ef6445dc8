#include "cli/program/learn_shown.h"

#include <chrono>
#include <stdexcept>

#include "autograd/check.h"
#include "cli/program/display.h"

namespace gradus {
using namespace detail;

std::unique_ptr<Tokenizer> learn_shown(const std::string& kind, const Text& text, int vocab_size) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPause = std::chrono::milliseconds(100);
  Display display;
  display.live({"learning tokens"});
  auto shown = Clock::now();
  try {
    auto tokenizer = learn_tokenizer(kind, text, vocab_size, [&](int done, int of) {
      if (Clock::now() - shown < kPause) return;
      shown = Clock::now();
      display.live({gradus::text("learning tokens: ", done, " of ", of)});
    });
    display.clear();
    return tokenizer;
  } catch (const std::invalid_argument& error) {
    display.clear();
    const std::string rule = error.what();
    const bool names_setting = rule.starts_with("vocab_size") || rule.starts_with("tokenizer:");
    fail(names_setting ? "--" : "", rule);
  }
}

}  // namespace gradus
