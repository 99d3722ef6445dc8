#include "cli/run/out_dir.h"

#include <exception>
#include <filesystem>
#include <string>
#include <utility>

#include "autograd/check.h"
#include "cli/program/command.h"
#include "cli/run/checkpoints.h"
#include "cli/run/record.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// Whether the out_dir contains an earlier run's checkpoint. Throws if this run may neither move
/// nor remove it.
bool earlier_run_in_the_way(const Settings& settings, bool is_default_run) {
  if (!holds_checkpoint(settings.out_dir)) {
    return false;
  }
  check(is_default_run || settings.overwrite, settings.out_dir,
        ": holds a model of an earlier run (resume it with --init_from=resume, choose another "
        "--out_dir, or add --overwrite)");
  return true;
}

/// Moves a folder to the first name that is free: FOLDER.previous, FOLDER.previous.2 and so on.
fs::path put_aside(const fs::path& folder) {
  for (int number = 1;; ++number) {
    const fs::path aside =
        folder.string() + ".previous" + (number > 1 ? "." + std::to_string(number) : "");
    if (!fs::exists(fs::symlink_status(aside))) {
      fs::rename(folder, aside);
      return aside;
    }
  }
}

void require_free(const Settings& settings, bool is_default_run) {
  if (settings.out_dir.empty()) {
    return;
  }
  RunLock::check_free(settings.out_dir);
  earlier_run_in_the_way(settings, is_default_run);
}

}  // namespace

void check_out_dir(const Settings& settings, bool is_default_run) {
  if (!settings.dry_run) require_free(settings, is_default_run);
}

void note_what_is_in_the_way(const Settings& settings, bool is_default_run) {
  try {
    require_free(settings, is_default_run);
  } catch (const std::exception& error) {
    note(error.what());
  }
}

std::optional<RunLock> claim_out_dir(const Settings& settings, bool is_default_run) {
  const fs::path out_dir = settings.out_dir;
  if (out_dir.empty()) {
    return std::nullopt;
  }
  RunLock lock(out_dir);
  // Checks again, because a run that was active at the first check may have ended.
  if (!earlier_run_in_the_way(settings, is_default_run)) {
    return lock;
  }
  if (!settings.overwrite) {
    const fs::path aside = put_aside(out_dir);
    lock.moved_to(aside);
    note("moved the earlier run from " + settings.out_dir + " to " + aside.string());
    return std::optional<RunLock>(std::in_place, out_dir);
  }
  for (const char* name :
       {"last", "best", ".last.old", ".best.old", kRecordFile, kLogFile, kCurveFile}) {
    fs::remove_all(out_dir / name);
  }
  return lock;
}

}  // namespace gradus
