/// @file
/// `gradus eval`: the exact mean loss of a trained GPT on a text.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "autograd/check.h"
#include "cli/program/display.h"
#include "cli/program/flags.h"
#include "cli/run/checkpoints.h"
#include "cli/run/plan.h"
#include "cli/run/record.h"
#include "cli/tasks/texts.h"
#include "nn/files/gpt_files.h"
#include "nn/text/word_tokenizer.h"
#include "nn/train/exact_loss.h"
#include "nn/train/trainer.h"

namespace gradus {
using namespace detail;
namespace {

constexpr const char* kEvalExamples =
    "The text is cut into consecutive blocks of block_size tokens; the last block may be\n"
    "shorter. Each token except the first is predicted once. Losses are in nats per token.\n"
    "--split divides the text as gradus train does: val is the last tenth.\n"
    "\n"
    "Without --text, the command evaluates the validation part of the text that the run was\n"
    "trained on.\n"
    "\n"
    "Examples:\n"
    "  gradus eval --out_dir=out --text notes.txt\n"
    "  gradus eval --out_dir=out --text notes.txt --split=val --json\n";

Split split_of(const std::string& name) {
  check(name == "all" || name == "train" || name == "val", "--split=", name,
        ": must be all, train or val");
  return name == "all" ? Split::kAll : name == "train" ? Split::kTrain : Split::kVal;
}

std::vector<std::string> texts_of_run(const std::optional<RunRecord>& record,
                                      const std::filesystem::path& out_dir) {
  check(record.has_value(), out_dir.string(),
        ": has no record of its text (pass a text with --text)");
  check(record->data().empty(), out_dir.string(), ": was trained on examples (", record->data(),
        "), so eval needs a text (pass one with --text)");
  check_readable(*record, out_dir);
  return record->texts;
}

/// Prints a note on unknown words: bits per byte count the bytes of "<unk>" for each of them.
void note_unknown_words(std::span<const std::int32_t> tokens, const Tokenizer& tokenizer) {
  if (tokenizer.name() != "word") return;
  const auto unknown = std::ranges::count(tokens, WordTokenizer::kUnknown);
  if (unknown == 0) return;
  note(text(unknown, " of ", tokens.size(),
            " tokens are unknown words; bits per byte count each as <unk>"));
}

/// exact_loss() with a live line on terminals after the first second.
ExactLoss measured(const Gpt& model, std::span<const std::int32_t> tokens, int batch_size) {
  Display display;
  const auto start = std::chrono::steady_clock::now();
  const ExactLoss result = exact_loss(model, tokens, batch_size, [&](double share) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (seconds.count() > 1) {
      display.live({fixed(100 * share, 0) + "% evaluated",
                    in_time(seconds.count() * (1 / share - 1)) + " left"});
    }
  });
  display.clear();
  return result;
}

}  // namespace

int eval_command(const Arguments& arguments) {
  std::string out_dir, which = "best", split;
  std::vector<std::string> names;
  int batch_size = 16, block_size = 0;
  bool json = false, keep_crlf = false;
  WeightType dtype = WeightType::kFloat32;
  Flags flags("eval",
              "Computes the exact mean loss, perplexity and bits per byte of a GPT on a text.");
  add_source_flags(flags, out_dir, which);
  add_dtype(flags, dtype);
  flags.add("--text", names, "text file to evaluate (- for standard input); may be repeated",
            "FILE");
  flags.add(kKeepCrlf, keep_crlf, "keep CR LF line ends; default: as in the model's run");
  flags.add("--split", split,
            "part of the text: all, train or val; default: all with\n--text, val without", "PART",
            {}, {"all", "train", "val"});
  flags.add("--batch_size", batch_size, "blocks per batch; affects only speed and memory", 1);
  flags.add("--block_size", block_size,
            "tokens per block, each predicted from the ones before it in its\nblock; 0: as many as "
            "the model can read",
            0);
  add_json_flag(flags, json);
  flags.ignore(kIgnoredInUse);
  flags.footer(kEvalExamples);
  if (!flags.parse(arguments)) {
    return 0;
  }
  if (split.empty()) {
    split = names.empty() ? "val" : "all";
  }
  const Split part = split_of(split);
  const std::filesystem::path folder = chosen_checkpoint(out_dir, which, Models::kGpt);
  Checkpoint checkpoint = load_checkpoint(folder, dtype);
  Index& longest = checkpoint.model.config.n_positions;
  check(block_size <= longest, "--block_size=", block_size, ": must be at most ", longest,
        ", the most tokens that the model of ", folder.string(), " can read");
  if (block_size > 0) longest = block_size;
  const std::filesystem::path run = out_dir_of(folder);
  const std::optional<RunRecord> record = load_record(run);
  if (!flags.given(kKeepCrlf)) {
    keep_crlf = record && record->keep_crlf();
  }
  const Text text_read = read_texts(names.empty() ? texts_of_run(record, run) : names, keep_crlf);
  const Corpus corpus(text_read, *checkpoint.tokenizer);
  const auto tokens = corpus.tokens(part);
  check(tokens.size() >= 2, corpus.name(), ": ", split,
        " needs at least 2 tokens to predict one, got ", tokens.size(), " (use a longer text)");
  note_unknown_words(tokens, *checkpoint.tokenizer);
  TrainOptions as_batch;
  as_batch.batch_size = batch_size;
  GptConfig read = checkpoint.model.config;  // a short text needs less memory than a full block
  read.n_positions = std::min(longest, static_cast<Index>(tokens.size()));
  check_memory(memory_of_activations(read, as_batch), "eval");
  const ExactLoss result = measured(checkpoint.model, tokens, batch_size);
  const double total = result.loss * static_cast<double>(result.tokens);
  const auto bytes = static_cast<double>(target_bytes(tokens, *checkpoint.tokenizer));
  const double bits_per_byte = total / bytes / std::log(2.0);
  if (json) {
    const nlohmann::ordered_json object = {{"tokens", result.tokens},
                                           {"loss", result.loss},
                                           {"perplexity", std::exp(result.loss)},
                                           {"bits_per_byte", bits_per_byte},
                                           {"split", split},
                                           {"text", corpus.name()},
                                           {"checkpoint", folder.string()}};
    print(object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else {
    print(text("checkpoint     ", folder.string(), "\ntext           ", corpus.name(), ", ", split,
               "\ntokens         ", result.tokens, "\nloss           ", fixed(result.loss, 4),
               "\nperplexity     ", fixed(std::exp(result.loss), 4), "\nbits per byte  ",
               fixed(bits_per_byte, 4), "\n"));
  }
  return 0;
}

}  // namespace gradus
