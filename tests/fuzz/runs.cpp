/// @file
/// The files of a run beside its model: run.json, log.jsonl and trainer.json. A record that is read
/// is written and read again. `info` describes the folder, and the run is resumed up to its plan,
/// with a small model that the fuzzer has made.
#include "cli/program/command.h"
#include "cli/run/begin.h"
#include "cli/run/log.h"
#include "cli/run/record.h"
#include "cli/run/train_flags.h"
#include "nn/files/gpt_files.h"
#include "nn/files/tokenizer_files.h"
#include "nn/text/char_tokenizer.h"
#include "tests/fuzz/fuzz.h"

namespace gradus {

namespace fs = std::filesystem;

namespace {

/// The folder of a run, with a model in `last`. It is the current folder, so that a record finds
/// its text.
const FuzzFolder& run_folder() {
  static const FuzzFolder folder = [] {
    FuzzFolder made("run");
    const std::string text = "The fox met a crow, and said: what a fine day! The crow said so too.";
    made.file("text.txt", text);
    const CharTokenizer tokenizer = CharTokenizer::learn(text);
    GptConfig config;
    config.n_layer = 1;
    config.n_head = 1;
    config.n_embd = 4;
    config.n_positions = 8;
    config.vocab_size = tokenizer.vocab_size();
    fs::create_directories(made.path() / "last");
    save_gpt(made.path() / "last", Gpt(config));
    save_tokenizer(tokenizer, made.path() / "last");
    holds(chdir(made.path().c_str()) == 0, "the folder can be entered");
    return made;
  }();
  return folder;
}

void round_trip(const FuzzFolder& folder) {
  std::optional<RunRecord> record;
  if (!accepts([&] { record = load_record(folder.path()); }) || !record) return;
  static const FuzzFolder written("written");
  save_record(written.path(), *record);
  const RunRecord again = load_record(written.path()).value();
  holds(again.texts == record->texts && again.bytes == record->bytes &&
            again.checksum == record->checksum && again.flags == record->flags,
        "a record is read as it was written");
}

void go_through_log(const FuzzFolder& folder) {
  const std::string log = folder / "log.jsonl";
  const LossHistory all = read_losses(log);
  TrainState state;
  state.step = 20;
  state.evaluated_step = 10;
  accepts([&] { RunLog kept(log, &state); });
  const LossHistory before = read_losses(log);
  holds(before.batches.size() <= all.batches.size() && before.val.size() <= all.val.size(),
        "a resumed log has no more entries than before");
  for (const auto& [step, loss] : before.batches) {
    holds(step < 20 || !before.val.empty(), "later entries are dropped");
  }
  accepts([&] { RunLog kept(log, &state); });
  holds(read_losses(log).batches == before.batches, "what was kept is kept again");
}

/// Resumes the run up to its plan; `text` replaces the text of its record if it is not empty.
void resume(const std::string& text) {
  Run run;
  Flags flags("train", "Trains.");
  add_train_flags(flags, run.settings);
  Arguments words = {"--init_from=resume", "--out_dir=.", "--checkpoint=last", "--dry_run"};
  if (!text.empty()) words.push_back("--text=" + text);
  flags.parse(words);
  go_on(flags, run);
}

}  // namespace

bool is_command(const std::string&) { return false; }

void fuzz(std::string_view input) {
  const FuzzFolder& folder = run_folder();
  const auto parts = parts_of(input, {"run.json", "log.jsonl", "trainer.json"});
  for (const char* name : {"run.json", "log.jsonl", "trainer.json"}) {
    const std::string file = std::string(name) == "trainer.json" ? "last/trainer.json" : name;
    fs::remove(folder / file);
    if (const auto part = parts.find(name); part != parts.end()) folder.file(file, part->second);
  }
  round_trip(folder);
  go_through_log(folder);
  accepts([&] { info_command({"--out_dir=.", "--checkpoint=last"}); });
  accepts([&] { info_command({"--out_dir=.", "--checkpoint=last", "--json"}); });
  accepts([] { resume(""); });
  accepts([] { resume("text.txt"); });
}

}  // namespace gradus
