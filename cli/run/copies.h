/// @file
/// Copies of files of rank 0, from which other ranks train.
#pragma once

#include <filesystem>

#include "cli/program/flags.h"

namespace gradus {

/// Changes the flags of all ranks except rank 0: they name copies of the files to read, and no
/// files to write. Only rank 0 has an out_dir and logs.
void give_copies(Flags& flags);

/// Gives all ranks rank 0's checkpoint: on rank 0 its own folder, on the others a copy. Next to the
/// copy is a record of the run, which names copies of the run's texts and data unless flags name
/// others.
std::filesystem::path checkpoint_for_ranks(const std::filesystem::path& folder, const Flags& flags);

/// The same for a model to begin from, without its run's record.
std::filesystem::path model_for_ranks(const std::filesystem::path& folder);

}  // namespace gradus
