#include "cli/commands/shown_tokens.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "autograd/check.h"
#include "cli/attention/weights.h"
#include "cli/program/command.h"
#include "cli/program/display.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::size_t kBar = 32, kName = 18;  // characters

/// Options that leave a model's probabilities unchanged.
const SampleOptions kOwn = {.temperature = 1, .top_k = 0, .top_p = 1, .repetition_penalty = 1};

/// A bar of eighths of a character, so that small shares can be distinguished.
std::string bar(double share) {
  static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(std::lround(8 * kBar * share));
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
  out += kEighths[eighths % 8];
  return out + std::string(kBar - (eighths + 7) / 8, ' ');
}

std::string padded(std::string name, std::size_t width) {
  const std::size_t length = utf8_decode(name).size();
  return std::move(name) + std::string(length < width ? width - length : 1, ' ');
}

/// A share of 1 in percent, with two figures: 38%, 3.8%, 0.038%.
std::string percent(double share) {
  const double p = 100 * share;
  if (p > 0 && p < 0.01) return "<0.01%";
  if (p > 99 && p < 100) return ">99%";
  return fixed(p, p >= 10 || p == 0 ? 0 : p >= 1 ? 1 : p >= 0.1 ? 2 : 3) + "%";
}

/// Describes how sampling changes the model's own probabilities: ", at temperature 0.8, of the 200
/// most probable"; empty if it leaves them unchanged.
std::string changes_of(const SampleOptions& options, Index vocab_size) {
  const auto number = [](double value) {
    std::ostringstream out;
    out << value;
    return out.str();
  };
  std::string out;
  if (options.repetition_penalty != 1) {
    out += ", repetition penalty " + number(options.repetition_penalty);
  }
  if (options.temperature == 0) return out + ", always the most probable";
  if (options.temperature != 1) out += ", at temperature " + number(options.temperature);
  if (options.top_k > 0 && options.top_k < vocab_size) {
    out += text(", of the ", options.top_k, " most probable");
  }
  if (options.top_p < 1) out += ", of the most probable with a sum of " + number(options.top_p);
  return out;
}

/// The model's own probabilities, and the probabilities with which sampling draws. `drawn` is empty
/// if both are the same.
struct Choices {
  std::vector<double> own, drawn;
};

std::string row(const char* mark, const std::string& name, double own, const double* drawn) {
  const auto column = [](const std::string& number) {
    constexpr std::size_t kNumber = 7;
    return std::string(kNumber - std::min(kNumber, number.size()), ' ') + number;
  };
  return text("  ", mark, " ", padded(name, kName), bar(own), column(percent(own)),
              drawn != nullptr ? column(percent(*drawn)) : "", "\n");
}

/// Rows for the most probable tokens, and for the chosen one if it is not among them.
std::string rows_of(const Tokenizer& tokenizer, const Choices& choices, std::int32_t chosen,
                    int rows) {
  std::vector<std::int32_t> order(choices.own.size());
  std::iota(order.begin(), order.end(), 0);
  const auto own = [&](std::int32_t token) { return choices.own[static_cast<std::size_t>(token)]; };
  std::ranges::stable_sort(order, std::greater(), own);
  order.resize(std::min(order.size(), static_cast<std::size_t>(rows)));
  if (std::ranges::find(order, chosen) == order.end()) order.push_back(chosen);
  std::string out;
  double rest = 1, drawn_rest = 1;
  for (const std::int32_t token : order) {
    const double* drawn =
        choices.drawn.empty() ? nullptr : &choices.drawn[static_cast<std::size_t>(token)];
    out += row(token == chosen ? ">" : " ", token_label(tokenizer.piece(token)), own(token), drawn);
    rest -= own(token);
    drawn_rest -= drawn != nullptr ? *drawn : 0;
  }
  const auto none = [](double share) { return share < 1e-9 ? 0 : share; };  // a rounding error
  rest = none(rest), drawn_rest = none(drawn_rest);
  const auto others = std::ssize(choices.own) - std::ssize(order);
  return out + (others > 0 ? row(" ", text(others, others == 1 ? " other" : " others"), rest,
                                 choices.drawn.empty() ? nullptr : &drawn_rest)
                           : "");
}

}  // namespace

void show_choices(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                  Index count, const SampleOptions& options, const RandomKey& key, int rows,
                  const std::string& end) {
  std::string written = prompt;
  std::vector<std::vector<std::int32_t>> texts = {with_begin(tokenizer, tokenizer.encode(prompt))};
  InferenceSession session(model);
  const std::string changes = changes_of(options, tokenizer.vocab_size());
  if (count > 0 && !changes.empty()) {
    print("left: probabilities of the model; right: probabilities of the draw, " +
          changes.substr(2) + "\n\n");
  }
  for (Index i = 0; i < count; ++i) {
    Tensor logits = session.read_on(texts);
    const std::span<Scalar> scores(logits.mutable_data(), static_cast<std::size_t>(logits.size()));
    Choices choices = {.own = token_probabilities(scores, kOwn), .drawn = {}};
    if (options.repetition_penalty != 1) {
      penalise_repetition(scores,
                          std::span(texts[0]).last(static_cast<std::size_t>(session.length())),
                          options.repetition_penalty);
    }
    const std::int32_t token =
        choose_token(scores, options, uniform_at(key, static_cast<std::uint64_t>(i)));
    if (!changes.empty()) choices.drawn = token_probabilities(scores, options);
    print((i > 0 ? "\n" : "") + written + "\n" + rows_of(tokenizer, choices, token, rows));
    texts[0].push_back(token);
    if (ends_text(tokenizer, token)) break;
    written += shown_piece(tokenizer, token);
    if (!end.empty() && written.find(end, prompt.size()) != std::string::npos) break;
  }
}

}  // namespace gradus
