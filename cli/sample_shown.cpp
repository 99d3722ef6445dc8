#include "cli/sample_shown.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>

#include "autograd/check.h"
#include "cli/attention_weights.h"
#include "cli/command.h"
#include "cli/display.h"
#include "cli/unknown_words.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::size_t kBar = 32, kName = 18;  // characters

/// Eighths of a character, so that small shares can be distinguished.
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

std::string row(const char* mark, const std::string& name, double share) {
  return text("  ", mark, " ", padded(name, kName), bar(share), " ", fixed(100 * share, 1), "%\n");
}

/// The most probable tokens, and the one that was chosen if it is not one of them.
std::string choices(const Tokenizer& tokenizer, const std::vector<double>& probabilities,
                    std::int32_t chosen, int rows) {
  std::vector<std::int32_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), 0);
  const auto probability = [&](std::int32_t token) {
    return probabilities[static_cast<std::size_t>(token)];
  };
  std::ranges::stable_sort(order, std::greater(), probability);
  order.resize(std::min(order.size(), static_cast<std::size_t>(rows)));
  std::erase_if(order, [&](std::int32_t token) { return probability(token) == 0; });
  if (std::ranges::find(order, chosen) == order.end()) order.push_back(chosen);
  std::string out;
  double rest = 1;
  for (const std::int32_t token : order) {
    out +=
        row(token == chosen ? ">" : " ", token_label(tokenizer.piece(token)), probability(token));
    rest -= probability(token);
  }
  const auto others =
      std::ranges::count_if(probabilities, [](double p) { return p > 0; }) - std::ssize(order);
  return out + (others > 0 ? row(" ", text(others, " others"), std::max(rest, 0.0)) : "");
}

/// Whether somebody types the lines.
bool is_asked() { return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1; }

}  // namespace

void show_choices(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                  Index count, const SampleOptions& options, const RandomKey& key, int rows,
                  const std::string& end) {
  std::string written = prompt;
  std::vector<std::vector<std::int32_t>> texts = {tokenizer.encode(prompt)};
  InferenceSession session(model);
  for (Index i = 0; i < count; ++i) {
    Tensor logits = session.read_on(texts);
    const std::span<Scalar> scores(logits.mutable_data(), static_cast<std::size_t>(logits.size()));
    if (options.repetition_penalty != 1) {
      penalise_repetition(scores,
                          std::span(texts[0]).last(static_cast<std::size_t>(session.length())),
                          options.repetition_penalty);
    }
    const std::int32_t token =
        choose_token(scores, options, uniform_at(key, static_cast<std::uint64_t>(i)));
    print((i > 0 ? "\n" : "") + written + "\n" +
          choices(tokenizer, token_probabilities(scores, options), token, rows));
    texts[0].push_back(token);
    written += tokenizer.piece(token);
    if (!end.empty() && written.find(end, prompt.size()) != std::string::npos) break;
  }
}

void chat(const Gpt& model, const Tokenizer& tokenizer, Index count, const SampleOptions& options,
          std::uint64_t seed, const std::string& end) {
  const bool asked = is_asked(), answers = !end.empty();
  if (asked) {
    note(answers
             ? "type a prompt, and Enter; Ctrl-D ends"
             : "type how it goes on, and Enter; an empty line lets the model go on; Ctrl-D ends");
  }
  std::string told, line;
  for (std::uint32_t turn = 0;; ++turn) {
    if (asked) print("> ");
    if (!std::getline(std::cin, line)) break;
    const bool joins = !told.empty() && !line.empty() && told.back() != '\n';
    const std::string prompt = answers ? line : told + (joins ? " " : "") + line;
    try {
      check(!prompt.empty(), "is empty (type something to begin with)");
      note_unknown_words(tokenizer, {line}, "the line");
      tokenizer.encode(line);
    } catch (const std::invalid_argument& error) {
      note(text("the line: ", error.what()));
      continue;
    }
    told = prompt;
    // A paragraph ends with a blank line, unless it only begins with one.
    const auto goes_on = [&] {
      const std::size_t begin = told.find_first_not_of('\n', prompt.size());
      return begin == std::string::npos || told.find("\n\n", begin) == std::string::npos;
    };
    write_text(model, tokenizer, prompt, count, options, {seed, turn, 0}, end,
               [&](std::string_view piece) {
                 told += piece;
                 print(piece);
                 return answers || goes_on();
               });
    if (told.back() != '\n') print("\n");
  }
  if (asked) print("\n");
}

}  // namespace gradus
