#include "cli/run/copies.h"

#include <sstream>

#include "autograd/check.h"
#include "cli/cluster/cluster.h"
#include "cli/run/checkpoints.h"
#include "cli/run/record.h"
#include "cli/tasks/kinds.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// A file, or the name of a bundled text, which each rank has.
std::string shared_text(const std::string& name) {
  return bundled_text(name) ? name : shared_file(name);
}

/// The value of --data: a built-in set, or file names joined by commas.
std::string data_for_ranks(const std::string& data) {
  if (!names_files(data)) {
    return data;
  }
  std::string all;
  std::istringstream in(data);
  for (std::string file; std::getline(in, file, ',');) {
    all += (all.empty() ? "" : ",") + shared_file(file);
  }
  return all;
}

}  // namespace

void give_copies(Flags& flags) {
  if (ranks().size() == 1) {
    return;
  }
  for (const std::string& name : flags.names()) {
    const Names names = flags.traits(name).names;
    std::vector<std::string> values = flags.given_values(name);
    for (std::string& value : values) {
      check(names != Names::kFiles || value != "-", name,
            "=-: standard input is for one process (pass a file)");
      value = names == Names::kFiles      ? shared_text(value)
              : names == Names::kExamples ? data_for_ranks(value)
                                          : value;
    }
    if (names == Names::kOutput) values = {""};
    if (names != Names::kNothing && !values.empty() && !ranks().is_first()) {
      flags.give(name, values);
    }
  }
}

fs::path checkpoint_for_ranks(const fs::path& folder, const Flags& flags) {
  if (ranks().size() == 1) {
    return folder;
  }
  const fs::path own = shared_folder(folder, "last"), out_dir = out_dir_of(own);
  if (found_by_first([&] { return load_record(out_dir) ? 1.0 : 0.0; }) == 0) {
    return own;
  }
  // Only rank 0 has the files that the record names.
  fs::path file = shared_file((out_dir / kRecordFile).string());
  RunRecord record = *load_record(file.parent_path());
  if (ranks().is_first()) {
    check_readable(record, out_dir);
  }
  for (std::string& name : record.texts) {
    if (!flags.given("--text") && name != "-") name = shared_text(name);
  }
  const std::string data = record.data();
  if (!flags.given("--data") && !data.empty() && data != kBuiltIn) {
    record.flags["--data"] = data_for_ranks(data);
  }
  if (!ranks().is_first()) {
    save_record(out_dir, record);
  }
  return own;
}

fs::path model_for_ranks(const fs::path& folder) { return shared_folder(folder, "model"); }

}  // namespace gradus
