#include "cli/run/checkpoints.h"

#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <vector>

#include "autograd/check.h"
#include "cli/program/command.h"
#include "cli/program/display.h"
#include "cli/run/record.h"
#include "cli/tasks/kinds.h"
#include "cli/tasks/recipes.h"
#include "nn/files/adapter_files.h"
#include "nn/files/checkpoint.h"
#include "nn/files/replace_folder.h"
#include "nn/names.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// The folders that `gradus train` uses if none is named.
std::vector<std::string> own_folders() {
  std::vector<std::string> folders = {nanogpt_defaults().out_dir, tales_defaults().out_dir,
                                      kConfigOutDir};
  for (const TaskKind& kind : task_kinds()) folders.push_back(defaults_of(kind.model).out_dir);
  return folders;
}

/// How many numbers a model file contains, computed from its size: an 8-byte length, a header of
/// that length, and four bytes per number.
double number_count(const fs::path& file) {
  std::uint64_t header = 0;
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
  return (static_cast<double>(fs::file_size(file)) - 8 - static_cast<double>(header)) / 4;
}

/// Describes a checkpoint for the user: `a gpt of 788 k parameters on the bundled tales`.
std::string description(const fs::path& checkpoint) {
  std::string out = text("a ", name_of(kind_of_checkpoint(checkpoint)), " of ",
                         with_unit(number_count(base_of(checkpoint) / kModelFile)), " parameters",
                         holds_adapter(checkpoint) ? " with an adapter" : "");
  const std::optional<RunRecord> record = load_record(out_dir_of(checkpoint));
  if (!record) {
    return out;
  }
  if (record->is_bundled()) {
    return out + " on the bundled " + record->texts[0];
  }
  if (record->data() == kBuiltIn) {
    return out + " on built-in examples";
  }
  const std::string first = record->data().empty() ? record->texts[0] : record->data();
  return text(out, " on ", fs::path(first).filename().string(),
              record->texts.size() > 1 ? text(" and ", record->texts.size() - 1, " more") : "");
}

/// Whether its model is a GPT, or cannot be read; loading it then reports the error.
bool may_hold_gpt(const fs::path& checkpoint) {
  try {
    return kind_of_checkpoint(checkpoint) == ModelKind::kGpt;
  } catch (const std::runtime_error&) {
    return true;
  }
}

/// Whether a command that works with such models may choose this checkpoint.
bool is_wanted(const fs::path& checkpoint, Models wanted) {
  if (wanted == Models::kAny || may_hold_gpt(checkpoint) == (wanted == Models::kGpt)) {
    return true;
  }
  const std::optional<RunRecord> record = load_record(out_dir_of(checkpoint));
  return wanted == Models::kAnswers && record && !record->data().empty();
}

}  // namespace

void note_choice(const fs::path& checkpoint) {
  std::string what;
  try {
    what = ": " + description(checkpoint);
  } catch (const std::runtime_error&) {
    // Loading it reports the error.
  }
  note(checkpoint.string() + what);
}

bool holds_checkpoint(const fs::path& out_dir) {
  return fs::is_directory(find_folder(out_dir / "last")) ||
         fs::is_directory(find_folder(out_dir / "best"));
}

std::string newest_out_dir(Models wanted) {
  std::string newest;
  fs::file_time_type time;
  for (const std::string& folder : own_folders()) {
    for (const char* which : {"last", "best"}) {
      std::error_code error;
      const fs::path checkpoint = find_folder(fs::path(folder) / which);
      const char* config = holds_adapter(checkpoint) ? kAdapterConfigFile : kConfigFile;
      const auto written = fs::last_write_time(checkpoint / config, error);
      if (!error && is_wanted(checkpoint, wanted) && (newest.empty() || written > time)) {
        newest = folder;
        time = written;
      }
    }
  }
  if (newest.empty() && wanted == Models::kAnswers) {
    throw std::runtime_error(
        "predict: found no translator, classifier, bert, vit or GPT for prompts (train one, such "
        "as '" +
        program_name() + " train --model translator'; for a GPT trained on a text use '" +
        program_name() + " sample --start TEXT', or name its folder with --out_dir)");
  }
  if (newest.empty()) {
    throw std::runtime_error("no trained model in out/ or out-tales/ (run '" + program_name() +
                             " train', or name a folder with --out_dir)");
  }
  return newest;
}

void add_source_flags(Flags& flags, std::string& out_dir, std::string& which) {
  flags.add("--out_dir", out_dir, "folder of a run or a model; default: the newest", "DIR");
  flags.add("--checkpoint", which, "checkpoint to use: best, last or a folder", "WHICH");
}

fs::path checkpoint_in(const fs::path& out_dir, const std::string& which) {
  fs::path folder = find_checkpoint(out_dir, which);
  check(out_dir.empty() || *fs::relative(folder, out_dir).begin() != "..", folder.string(),
        " is not in ", out_dir.string(),
        ": --checkpoint and the folder name two models (choose one)");
  return folder;
}

fs::path chosen_checkpoint(const std::string& out_dir, const std::string& which, Models wanted) {
  const bool is_folder = which != "best" && which != "last";
  const bool is_chosen = out_dir.empty() && !is_folder;
  const fs::path run = is_chosen ? newest_out_dir(wanted) : out_dir;
  // A run that was stopped before its first evaluation has no best checkpoint yet.
  const bool only_last = which == "best" && !fs::is_directory(find_folder(run / "best")) &&
                         fs::is_directory(find_folder(run / "last"));
  if (only_last) {
    note((run / "best").string() + ": does not exist yet; using last");
  }
  const fs::path folder = checkpoint_in(run, only_last ? "last" : which);
  if (is_chosen) {
    note_choice(folder);
  }
  if (wanted == Models::kGpt && !may_hold_gpt(folder)) {
    fail(folder.string(), ": must be a GPT, got a ", name_of(kind_of_checkpoint(folder)), " (use '",
         program_name(), " predict')");
  }
  return folder;
}

void add_dtype(Flags& flags, WeightType& dtype) {
  flags.add("--dtype", dtype,
            "weights in memory: float32, bfloat16 (half of the memory)\n"
            "or int8 (a quarter). Sums are computed in float32");
  flags.read_as("--dtype", "float16", "float32");
}

fs::path out_dir_of(const fs::path& checkpoint_folder) {
  const fs::path folder = checkpoint_folder.lexically_normal(), name = folder.filename();
  if (name != "best" && name != "last" && !fs::exists(folder / "trainer.json")) {
    return checkpoint_folder;  // no run wrote it
  }
  const fs::path parent = folder.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

}  // namespace gradus
