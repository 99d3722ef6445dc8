/// @file
/// Copies of files of rank 0, from which other ranks train.
#pragma once

#include <filesystem>

#include "cli/program/flags.h"

namespace gradus {

/// Changes the flags of all ranks but the first: they name copies of files that are read, and no
/// files that are written. The first rank alone has an out_dir and logs.
void give_copies(Flags& flags);

/// A checkpoint of the first rank for all: its own folder there, a copy elsewhere, beside a record
/// of the run that names copies of its texts too, unless others are given.
std::filesystem::path checkpoint_for_ranks(const std::filesystem::path& folder, const Flags& flags);

/// The same for a model to begin from, without the run that it comes from.
std::filesystem::path model_for_ranks(const std::filesystem::path& folder);

}  // namespace gradus
