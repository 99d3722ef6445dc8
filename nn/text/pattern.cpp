#include "nn/text/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <stdexcept>

#include "autograd/check.h"

namespace gradus {
using namespace detail;
namespace {

using Code = std::unique_ptr<pcre2_code, decltype(&pcre2_code_free)>;
using MatchData = std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)>;

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

std::string reason(int error) {
  std::array<PCRE2_UCHAR, 256> message{};
  pcre2_get_error_message(error, message.data(), message.size());
  return reinterpret_cast<const char*>(message.data());
}

}  // namespace

struct Pattern::Compiled {
  Code code;
};

Pattern::Pattern(const std::string& expression) {
  int error = 0;
  PCRE2_SIZE at = 0;
  Code code(pcre2_compile(units(expression), expression.size(), PCRE2_UTF | PCRE2_UCP, &error, &at,
                          nullptr),
            &pcre2_code_free);
  check(code != nullptr, "pattern: ", reason(error), " at place ", at, " of ", expression);
  // This fails on systems that forbid generating code; then matching is slower.
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
  compiled_ = std::make_unique<Compiled>(Compiled{std::move(code)});
}

Pattern::~Pattern() = default;

void Pattern::each(std::string_view text,
                   const std::function<void(std::string_view)>& visit) const {
  const pcre2_code* code = compiled_->code.get();
  const MatchData data(pcre2_match_data_create_from_pattern(code, nullptr), &pcre2_match_data_free);
  if (!data) throw std::bad_alloc();
  for (std::size_t at = 0; at < text.size();) {
    const int found = pcre2_match(code, units(text), text.size(), at,
                                  PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY, data.get(), nullptr);
    if (found == PCRE2_ERROR_NOMATCH) return;
    if (found < 0) throw std::runtime_error("pattern: cannot be matched: " + reason(found));
    const PCRE2_SIZE* place = pcre2_get_ovector_pointer(data.get());
    visit(text.substr(place[0], place[1] - place[0]));
    at = place[1];
  }
}

}  // namespace gradus
