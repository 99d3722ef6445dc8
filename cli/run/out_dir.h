/// @file
/// The folder of a run: checks that a run may use it, and moves an earlier run in it. With an empty
/// out_dir, as on all ranks except rank 0, these functions do nothing.
#pragma once

#include <optional>

#include "cli/run/lock.h"
#include "cli/tasks/settings.h"

namespace gradus {

/// The files in an out_dir, in addition to the checkpoints and kRecordFile.
inline constexpr const char* kLogFile = "log.jsonl";
inline constexpr const char* kCurveFile = "loss.svg";

/// Rejects an out_dir that a new run cannot use, before any time is spent: another training uses
/// it, or it contains an earlier run's checkpoint, which is overwritten only on request. A dry run
/// may have any out_dir.
/// @throws std::runtime_error or std::invalid_argument naming the folder and the remedy.
void check_out_dir(const Settings& settings, bool is_default_run);

/// Called after the plan of a dry run: if check_out_dir() would reject the run, notes the reason.
void note_what_is_in_the_way(const Settings& settings, bool is_default_run);

/// Makes the out_dir and holds it for a new run. An earlier run's folder is renamed to `.previous`,
/// `.previous.2` and so on; with --overwrite, the files of the run are removed.
/// @throws as check_out_dir(), because the folder may have changed since.
std::optional<RunLock> claim_out_dir(const Settings& settings, bool is_default_run);

}  // namespace gradus
