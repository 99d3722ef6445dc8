/// @file
/// `gradus predict`: translates, classifies or completes with a trained model.

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "cli/commands/predict_answers.h"
#include "cli/program/display.h"
#include "cli/program/flags.h"
#include "cli/program/unknown_words.h"
#include "cli/run/checkpoints.h"
#include "cli/run/record.h"
#include "cli/tasks/kinds.h"
#include "nn/data/readers.h"
#include "nn/tasks/rows.h"
#include "nn/tasks/vision_task.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

constexpr const char* kPredictExamples =
    "The task depends on the model. A translator translates. A classifier prints the label of\n"
    "a text and the probabilities of the labels. A BERT fills each [MASK] with its most\n"
    "probable words. A GPT continues a prompt with the most probable tokens, up to the end of\n"
    "the line. A vit prints the label of each image.\n"
    "\n"
    "Each line of standard input, or each --text, gives one line of output, immediately. A\n"
    "blank line gives a blank line. An invalid line also gives a blank line, an error on\n"
    "standard error, and exit code 1.\n"
    "\n"
    "Without --out_dir, the command uses the newest model in gradus train's default folders\n"
    "and prints its name. A GPT trained on plain text is used only if you name it. Words that\n"
    "are not in the vocabulary are read as unknown, and a note lists them.\n"
    "\n"
    "Examples:\n"
    "  gradus predict --text 'Lucas is visiting Chile in January.'\n"
    "  gradus predict --out_dir=out-translator --beam=4 < english.txt > portuguese.txt\n"
    "  gradus predict --out_dir=out-classifier --json < reviews.txt\n"
    "  gradus predict --out_dir=out-bert --text 'The fox [MASK] away.'\n"
    "  gradus predict --out_dir=out-vit --images=t10k-images-idx3-ubyte\n"
    "  gradus predict --out_dir=out-translator --held_out\n";

constexpr std::size_t kLongestLine = std::size_t{1} << 20;

struct Request {
  std::string out_dir, which = "best";
  std::vector<std::string> texts;
  std::string images, labels;
  bool held_out = false, json = false;
  AnswerOptions options;
};

std::string as_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Prints notes on words that were read as unknown: for the first kShown lines with such words as
/// they come, and then one with the number of further lines.
class UnknownWordNotes {
 public:
  void add(const std::string& where, const std::vector<std::string>& words) {
    if (words.empty()) return;
    if (++lines_ <= kShown) {
      note(where + ": words not in the vocabulary, read as unknown: " + listed(words));
    }
  }
  ~UnknownWordNotes() {
    if (lines_ > kShown) {
      note(text(lines_ - kShown, " more lines have words that are not in the vocabulary"));
    }
  }

 private:
  static constexpr int kShown = 5;
  int lines_ = 0;
};

void print_answer(const Request& request, Json input, const Answer& answer) {
  input.update(answer.json);
  print(request.json ? as_line(input) : answer.line + "\n");
}

/// Reads the next line of standard input, without its end; returns false after the last line.
/// Keeps only kLongestLine + 1 bytes of a longer line.
bool read_line(std::string& line) {
  line.clear();
  int c = std::getc(stdin);
  if (c == EOF) {
    return false;
  }
  for (; c != EOF && c != '\n'; c = std::getc(stdin)) {
    if (line.size() <= kLongestLine) {
      line += static_cast<char>(c);
    }
  }
  if (line.ends_with('\r')) {
    line.pop_back();
  }
  return true;
}

/// Answers each line. A line that the model cannot take gets a blank line, or a JSON object with
/// the reason, so that answer n belongs to line n. Returns the exit code: 1 if there was such a
/// line.
int answer_lines(const Request& request, const AnswerText& answer) {
  if (isatty(STDIN_FILENO) != 0) {
    note("type lines of text; Ctrl-D ends the input");
  }
  int status = 0;
  std::string line;
  UnknownWordNotes notes;
  for (std::int64_t number = 1; read_line(line); ++number) {
    if (number == 1 && line.starts_with(kByteOrderMark)) {
      line.erase(0, kByteOrderMark.size());
    }
    if (line.empty()) {
      print("\n");
      continue;
    }
    try {
      check(line.size() <= kLongestLine, "must have at most ", kLongestLine,
            " bytes (put one text on each line)");
      const Answer answered = answer(line);
      print_answer(request, {{"text", line}}, answered);
      notes.add(text("line ", number), answered.unknown);
    } catch (const std::invalid_argument& error) {
      status = 1;
      note(text("standard input, line ", number, ": ", error.what()));
      print(request.json ? as_line({{"error", error.what()}}) : "\n");
    }
  }
  return status;
}

void answer_texts(const Request& request, const AnswerText& answer) {
  UnknownWordNotes notes;
  for (const std::string& given : request.texts) {
    try {
      const Answer answered = answer(given);
      print_answer(request, {{"text", given}}, answered);
      notes.add("--text " + excerpt(given), answered.unknown);
    } catch (const std::invalid_argument& error) {
      fail("--text: ", error.what());
    }
  }
}

void print_scores(const Request& request, const fs::path& folder, const std::string& data,
                  const std::vector<Score>& scores) {
  Json json;
  std::string lines;
  const auto row = [&](std::string name, const std::string& value) {
    name.resize(std::max<std::size_t>(name.size() + 1, 15), ' ');
    lines += name + value + "\n";
  };
  row("checkpoint", folder.string());
  row("data", data);
  for (const Score& score : scores) {
    row(score.name, fixed(100 * score.value, 2) + "%");
    std::string key = score.name;
    std::ranges::replace(key, ' ', '_');
    json[key] = score.value;
  }
  json["data"] = data;
  json["checkpoint"] = folder.string();
  print(request.json ? as_line(json) : lines);
}

void measure_held_out(const Request& request, ModelKind kind, const fs::path& folder) {
  const auto record = load_record(out_dir_of(folder));
  check(record.has_value(), folder.string(),
        ": has no record of its training data (run.json is missing)");
  check(kind != ModelKind::kGpt || !record->data().empty(), folder.string(),
        ": --held_out needs a model trained on examples, got a GPT trained on a text (use '",
        program_name(), " eval')");
  check_readable(*record, out_dir_of(folder));
  Settings settings = settings_of(folder);
  restore(*record, settings);
  const std::unique_ptr<Task> task = make_task(settings, folder);
  const NoGrad no_grad;
  print_scores(request, folder, task->describe(), task->scores_of_all(request.options.beam));
}

void answer_images(const Request& request, const fs::path& folder) {
  const VisionModel classifier = load_vision_model(folder);
  const auto [images, labels] = request.labels.empty()
                                    ? std::pair(read_idx_images(request.images), IndexTensor())
                                    : read_idx_pair(request.images, request.labels);
  const VisionConfig& config = classifier.model.config;
  check(images.size(1) == config.height && images.size(2) == config.width, request.images,
        ": images must be ", config.height, " x ", config.width, " for this model, got ",
        images.size(1), " x ", images.size(2));
  const std::vector<Prediction> predictions = classify(classifier, images);
  if (!request.labels.empty()) {
    print_scores(request, folder, text(request.images, ": ", counted(labels.size(), "image")),
                 {{"accuracy", accuracy(predictions, {labels.begin(), labels.end()})}});
    return;
  }
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    print_answer(request, {{"image", i}}, answer_of(predictions[i], classifier.labels));
  }
}

/// Whether the checkpoint's run was trained on a text, and not on prompts; true if unknown.
bool is_of_a_text(const fs::path& checkpoint) {
  const auto record = load_record(out_dir_of(checkpoint));
  return !record || record->data().empty();
}

/// Refuses flags that contradict each other, or the model.
void check_flags(const Flags& flags, const Request& request, ModelKind kind) {
  check_owners(flags, kind);
  check(request.labels.empty() || !request.images.empty(),
        "--labels: needs images (add --images FILE)");
  for (const char* flag : {"--text", "--images"}) {
    check(!request.held_out || !flags.given(flag), "--held_out and ", flag,
          ": cannot be combined (choose one)");
  }
  check(request.images.empty() || request.texts.empty(),
        "--images and --text: cannot be combined (choose one)");
  check(!request.held_out || !flags.given("--max_new_tokens"),
        "--max_new_tokens: has no effect with --held_out (leave it out)");
}

}  // namespace

int predict_command(const Arguments& arguments) {
  Request request;
  Flags flags("predict", "Translates, classifies or completes texts with a trained model.");
  flags.group("Model");
  add_source_flags(flags, request.out_dir, request.which);
  flags.group("Input");
  flags.add("--text", request.texts, "text to read instead of standard input; may be repeated",
            "TEXT");
  flags.add("--images", request.images, "images in MNIST's IDX format (vit)", "FILE",
            {.of = on_examples(ModelKind::kVision)});
  flags.add("--labels", request.labels,
            "file of the true labels of --images; prints only the accuracy", "FILE",
            {.of = on_examples(ModelKind::kVision)});
  flags.add("--held_out", request.held_out, "print the scores on the run's held-out data");
  flags.group("Output");
  flags.add("--beam", request.options.beam, "beam width (translator)", 1,
            {.of = on_examples(ModelKind::kTranslator)});
  flags.add("--max_new_tokens", request.options.max_new_tokens,
            "maximum number of tokens of an answer (gpt)", 1, {.of = on_examples(ModelKind::kGpt)});
  add_json_flag(flags, request.json, "one JSON object per answer");
  flags.ignore({{"--device"},
                {"--compile"},
                {"--dtype", "ignored, as this command always computes in float32"}});
  flags.footer(kPredictExamples);
  if (!flags.parse(arguments)) {
    return 0;
  }
  const fs::path folder = chosen_checkpoint(request.out_dir, request.which, Models::kAnswers);
  const ModelKind kind = kind_of_checkpoint(folder);
  check_flags(flags, request, kind);
  if (request.held_out) {
    measure_held_out(request, kind, folder);
  } else if (!request.images.empty()) {
    answer_images(request, folder);
  } else {
    if (kind == ModelKind::kGpt && is_of_a_text(folder)) {
      note(folder.string() +
           ": is a GPT trained on a text; it continues each text to the end of the line "
           "('" +
           program_name() + " sample --start TEXT' writes more)");
    }
    const AnswerText answer = answerer(kind, folder, request.options);
    if (request.texts.empty()) {
      return answer_lines(request, answer);
    }
    answer_texts(request, answer);
  }
  return 0;
}

}  // namespace gradus
