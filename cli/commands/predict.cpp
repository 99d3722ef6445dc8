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
    "What it does depends on the model: a translator translates, a classifier says the label of a\n"
    "text and how likely the labels are, a BERT fills each [MASK] with its most probable words, a\n"
    "GPT goes on with a prompt by the most probable tokens up to the end of the line, and a vit\n"
    "says what images show. A line of standard input, or each --text,\n"
    "gives one line of output, as soon as it is read. A blank line gives a blank line, and so "
    "does\n"
    "one that the model cannot take; standard error names it, and the exit code is 1.\n"
    "\n"
    "Without --out_dir it takes the newest model that answers, of the folders that gradus train "
    "uses\n"
    "by itself, and says which. Words that a vocabulary does not hold are read as unknown, and "
    "named\n"
    "on standard error.\n"
    "\n"
    "--held_out measures the model on what its run has held out.\n"
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
      note(where + ": the vocabulary does not hold " + listed(words) + ": read as unknown");
    }
  }
  ~UnknownWordNotes() {
    if (lines_ > kShown) {
      note(text("the vocabulary does not hold words of ", lines_ - kShown, " more lines"));
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

/// Reads the next line of standard input, without its end; returns false after the last line. Of a
/// line longer than kLongestLine it keeps kLongestLine + 1 bytes.
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
    note("reads lines from the terminal; Ctrl-D ends them");
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
      check(line.size() <= kLongestLine, "holds more than ", kLongestLine,
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
        ": its run does not say what it was trained on (there is no run.json beside it)");
  check(kind != ModelKind::kGpt || !record->data.empty(), folder.string(),
        ": holds a GPT of a text (use '", program_name(), " eval')");
  check_readable(*record, out_dir_of(folder));
  Settings settings = settings_of(folder);
  settings.data = record->data == "built-in" ? "" : record->data;
  settings.examples = record->examples;
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
        ": has images of ", images.size(1), " x ", images.size(2), ", and the model reads ",
        config.height, " x ", config.width);
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
  return !record || record->data.empty();
}

/// Refuses flags that contradict each other, or the model.
void check_flags(const Flags& flags, const Request& request, ModelKind kind) {
  for (const std::string& name : flags.given()) {
    const ModelKind owner = only_kind(flags.traits(name).of).value_or(kind);
    check(owner == kind, name, ": is for a ", name_of(owner), ", and the checkpoint holds a ",
          name_of(kind));
  }
  check(request.labels.empty() || !request.images.empty(),
        "--labels: of which images? (give them by --images)");
  for (const char* flag : {"--text", "--images"}) {
    check(!request.held_out || !flags.given(flag), "--held_out and ", flag,
          ": exclude each other (choose one)");
  }
}

}  // namespace

int predict_command(const Arguments& arguments) {
  Request request;
  Flags flags("predict", "Translates, classifies or completes with a trained model.");
  flags.group("Model");
  flags.add("--out_dir", request.out_dir, "the folder of a run, or of a model", "DIR");
  flags.add("--checkpoint", request.which, "best, last or a checkpoint folder", "WHICH");
  flags.group("What to answer");
  flags.add("--text", request.texts, "a text in place of standard input; may be repeated", "TEXT");
  flags.add("--images", request.images, "images in MNIST's IDX format, for a vit", "FILE",
            {.of = on_examples(ModelKind::kVision)});
  flags.add("--labels", request.labels, "what they show: prints the accuracy alone", "FILE",
            {.of = on_examples(ModelKind::kVision)});
  flags.add("--held_out", request.held_out, "measure on what the run has held out");
  flags.group("How");
  flags.add("--beam", request.options.beam, "hypotheses that a translator follows", 1,
            {.of = on_examples(ModelKind::kTranslator)});
  flags.add("--max_new_tokens", request.options.max_new_tokens, "the most that a GPT writes", 1,
            {.of = on_examples(ModelKind::kGpt)});
  flags.add("--json", request.json, "one JSON object for each answer");
  flags.ignore(kIgnoredInUse);
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
           ": holds a GPT of a text, which goes on with yours to the end of the "
           "line ('" +
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
