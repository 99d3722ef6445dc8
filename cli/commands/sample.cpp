/// @file
/// `gradus sample`: writes texts with a trained GPT.

#include <filesystem>

#include "autograd/check.h"
#include "autograd/kernels/few_rows.h"
#include "cli/commands/chat.h"
#include "cli/commands/shown_tokens.h"
#include "cli/program/flags.h"
#include "cli/program/unknown_words.h"
#include "cli/program/write_text.h"
#include "cli/run/checkpoints.h"
#include "cli/run/record.h"
#include "cli/run/settle.h"
#include "cli/tasks/texts.h"
#include "nn/files/gpt_files.h"
#include "nn/tasks/prompt_task.h"
#include "nn/text/file.h"
#include "nn/text/lines.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

constexpr const char* kSampleExamples =
    "Without --out_dir, the command uses the newest model in gradus train's default folders\n"
    "and prints its name. Without --start, a new text begins. A model that answers prompts\n"
    "needs --start; its answer is one line.\n"
    "\n"
    "Examples:\n"
    "  gradus sample\n"
    "  gradus sample --start 'The fox and the' --num_samples 3 --temperature 0.7\n"
    "  gradus sample --out_dir=out --start=FILE:prompt.txt --max_new_tokens=2000 > story.txt\n"
    "  gradus sample --checkpoint=last --top_k=0 --top_p=0.9 --seed=7\n"
    "  gradus sample --start 'The fox and the' --show=5\n"
    "  gradus sample --chat\n"
    "  gradus sample --init_from=FOLDER --chat --start 'Who are you?'\n"
    "  gradus sample --out_dir=out-prompts --start 'Tweet: I love the park! Sentiment:'\n";

constexpr std::size_t kLongestPrompt = std::size_t{1} << 20;

/// The prompt in --start. As in nanoGPT, FILE:NAME stands for the text of a file.
std::string prompt_of(const std::string& start, bool keep_crlf) {
  constexpr std::string_view kFile = "FILE:";
  if (!start.starts_with(kFile)) return start;
  const std::string file = start.substr(kFile.size());
  std::string prompt = read_text_file(file, kLongestPrompt);
  if (!keep_crlf) note_folded(file, fold_line_ends(prompt));
  return prompt;
}

/// Checks that the prompt can be encoded, and returns the number of its tokens.
Index check_prompt(const Tokenizer& tokenizer, const std::string& prompt) {
  try {
    note_unknown_words(tokenizer, {prompt}, "--start");
    return std::ssize(with_begin(tokenizer, tokenizer.encode(prompt)));
  } catch (const TextError& error) {
    fail("--start: ", error.what());
  }
}

/// Writes one text for each key, all in one batch. Prints the first text while it is written, and
/// the others after it.
void print_texts(const Gpt& model, const Tokenizer& tokenizer, const std::string& prompt,
                 std::string_view shown_prompt, Index count, const SampleOptions& options,
                 std::span<const RandomKey> keys, const std::string& end) {
  const auto begin = [&](const RandomKey& key) {
    print(key.place > 0 ? "---------------\n" : "");
    print(shown_prompt);
  };
  std::vector<std::string> later(keys.size());
  begin(keys[0]);
  write_texts(model, tokenizer, prompt, count, options, keys, end,
              [&](std::size_t i, std::string_view piece) {
                if (i == 0) {
                  print(piece);
                } else {
                  later[i] += piece;
                }
                return true;
              });
  print("\n");
  for (std::size_t i = 1; i < keys.size(); ++i) {
    begin(keys[i]);
    print(later[i] + "\n");
  }
}

/// The values of the flags.
struct SampleRequest {
  std::string out_dir, which = "best", init_from = "resume", start, system;
  int num_samples = 1, show = 0;
  bool in_turns = false;
  Index max_new_tokens = 500;
  std::uint64_t seed = 1337;
  WeightType dtype = WeightType::kFloat32;
  SampleOptions options;
};

void add_sample_flags(Flags& flags, SampleRequest& r) {
  flags.group("Model");
  add_source_flags(flags, r.out_dir, r.which);
  flags.add("--init_from", r.init_from, "resume (the run in --out_dir) or the folder of a GPT",
            "HOW");
  add_dtype(flags, r.dtype);
  flags.group("Text");
  flags.add("--start", r.start, "text to continue; FILE:NAME reads it from a file", "TEXT");
  flags.add("--num_samples", r.num_samples, "number of texts; a line of ---------- separates them",
            1);
  flags.add("--max_new_tokens", r.max_new_tokens,
            "tokens to generate per text; default with --show: 20", 0);
  flags.add("--show", r.show, "show each token with bars of the N most probable tokens", 1);
  flags.add(
      "--chat", r.in_turns,
      "take turns: you type a line, the model continues; a model\nwith a chat template answers "
      "it, or the message in --start");
  flags.add("--system", r.system, "system message for --chat with a chat template", "TEXT");
  flags.group("Choice of tokens");
  flags.add("--temperature", r.options.temperature,
            "below 1: probable tokens are drawn more often, above 1:\n"
            "less often, 0: always the most probable token; default\n"
            "for models of the bundled texts: 0.6, for models that\nanswer prompts: 0",
            0);
  flags.add("--top_k", r.options.top_k, "draw from the N most probable tokens; 0: from all", 0);
  flags.add("--top_p", r.options.top_p,
            "draw from the most probable tokens whose probabilities\nsum up to X; default for "
            "models of the bundled texts: 0.9",
            0);
  flags.add(
      "--repetition_penalty", r.options.repetition_penalty,
      "penalty for tokens of the context: 1: none, above 1: these\ntokens become less probable", 0);
  flags.add("--seed", r.seed, "random seed", 0);
  flags.ignore(kIgnoredInUse);
  flags.footer(kSampleExamples);
}

/// Names flags of draws if nothing is drawn: at temperature 0, which the model may have by default.
void note_no_draws(const Flags& flags, const SampleOptions& options) {
  std::string names;
  for (const char* flag : {"--seed", "--top_k", "--top_p"}) {
    if (flags.given(flag)) names += (names.empty() ? "" : ", ") + std::string(flag);
  }
  if (options.temperature > 0 || names.empty()) return;
  note(names +
       ": without effect at temperature 0, as each token is the most probable one (pass a "
       "--temperature above 0)");
}

/// Refuses flags that contradict each other, and finds the folder that --init_from names.
void check_request(const Flags& flags, SampleRequest& r) {
  r.options.validate();
  check(r.show == 0 || r.num_samples == 1, "--show: only for one text (leave out --num_samples)");
  check(!r.in_turns || (r.show == 0 && r.num_samples == 1),
        "--chat: cannot be combined with --show and --num_samples (leave them out)");
  check(r.in_turns || !flags.given("--system"), "--system: only with --chat (add --chat)");
  if (r.init_from != "resume") {
    check(!flags.given("--out_dir"), "--out_dir and --init_from=", r.init_from,
          ": name two models (choose one)");
    check_is_folder(r.init_from, {"resume"});
    r.out_dir = r.init_from;
  }
}

}  // namespace

int sample_command(const Arguments& arguments) {
  SampleRequest r;
  Flags flags("sample", "Generates text with a trained GPT, token by token.");
  add_sample_flags(flags, r);
  if (!flags.parse(arguments)) {
    return 0;
  }
  check_request(flags, r);
  const std::filesystem::path folder = chosen_checkpoint(r.out_dir, r.which, Models::kGpt);
  const Checkpoint checkpoint = load_checkpoint(folder, r.dtype);
  const Tokenizer& tokenizer = *checkpoint.tokenizer;
  const auto record = load_record(out_dir_of(folder));
  const bool answers = record && !record->data().empty();
  check(!answers || r.in_turns || flags.given("--start"),
        "--start: is required, as this model answers prompts (pass one, such as --start 'Tweet: I "
        "love the park! Sentiment:')");
  const Opening opening = opening_for(tokenizer, record && record->is_bundled());
  if (!flags.given("--temperature")) {
    r.options.temperature = answers ? 0 : opening.options.temperature;
  }
  if (!flags.given("--top_p")) r.options.top_p = opening.options.top_p;
  note_no_draws(flags, r.options);
  const std::string end = answers ? kAnswerEnd : "";
  const bool given = flags.given("--start");
  if (r.in_turns && !answers && has_chat_template(tokenizer)) {
    ChatRequest request{r.system, std::nullopt, r.max_new_tokens, r.options, r.seed};
    if (given) request.start = prompt_of(r.start, record && record->keep_crlf());
    converse(checkpoint.model, tokenizer, request);
    return 0;
  }
  if (r.in_turns) {
    check(!given && r.system.empty(), "--chat: cannot be combined with --start and --system, as ",
          folder.string(), answers ? " answers prompts" : " has no chat template",
          " (leave them out)");
    chat(checkpoint.model, tokenizer, r.max_new_tokens, r.options, r.seed, end);
    return 0;
  }
  const std::string prompt =
      given ? prompt_of(r.start, record && record->keep_crlf()) : opening.start;
  const Index given_tokens = check_prompt(tokenizer, prompt);
  const Index block_size = checkpoint.model.config.n_positions;
  if (!answers && r.max_new_tokens > 0 && given_tokens + r.max_new_tokens - 1 > block_size) {
    note(text("the text will be longer than block_size ", block_size,
              "; whenever the context is full, the model keeps only its last ",
              window_after_slide(block_size), " tokens"));
  }
  if (r.show > 0) {
    show_choices(checkpoint.model, tokenizer, prompt,
                 flags.given("--max_new_tokens") ? r.max_new_tokens : 20, r.options, {r.seed, 0, 0},
                 r.show, end);
    return 0;
  }
  std::vector<RandomKey> keys;
  for (int i = 0; i < r.num_samples; ++i) {
    keys.push_back({r.seed, 0, static_cast<std::uint32_t>(i)});
    if (std::ssize(keys) == kFewRows || i + 1 == r.num_samples) {
      print_texts(checkpoint.model, tokenizer, prompt, given ? prompt : "", r.max_new_tokens,
                  r.options, keys, end);
      keys.clear();
    }
  }
  return 0;
}

}  // namespace gradus
