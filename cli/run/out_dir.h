/// @file
/// The folder of a run: who may have it, and what becomes of an earlier run in it. For an
/// empty out_dir, which ranks but the first have, all of these do nothing.
#pragma once

#include <optional>

#include "cli/run/lock.h"
#include "cli/tasks/settings.h"

namespace gradus {

/// Beside the checkpoints, an out_dir holds these and kRecordFile.
inline constexpr const char* kLogFile = "log.jsonl";
inline constexpr const char* kCurveFile = "loss.svg";

/// Refuses an out_dir that a new run cannot have, before time is spent on it: one where a training
/// is at work, or that holds an earlier run's checkpoint, which is never overwritten unasked. A dry
/// run may have any.
/// @throws std::runtime_error or std::invalid_argument naming the folder and what to do.
void check_out_dir(const Settings& settings, bool is_default_run);

/// After the plan of a dry run: notes the reason for which check_out_dir() would refuse the run.
void note_what_is_in_the_way(const Settings& settings, bool is_default_run);

/// Makes the out_dir and holds it for a new run. An earlier run's folder is put aside whole, as
/// `.previous`, `.previous.2` and so on; or emptied, if it was said to be overwritten.
/// @throws as check_out_dir(): things may have changed since.
std::optional<RunLock> claim_out_dir(const Settings& settings, bool is_default_run);

}  // namespace gradus
