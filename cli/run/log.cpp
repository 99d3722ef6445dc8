#include "cli/run/log.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "nn/files/replace_folder.h"
#include "nn/text/file.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Rounds to a multiple of `unit`: losses are floats, and 18.200000762939453 is hard to read.
double rounded(double value, double unit) { return std::round(value / unit) * unit; }

/// A decimal number of six significant digits, which JSON then prints as short.
double six_figures(double value) {
  if (value == 0 || !std::isfinite(value)) {
    return value;
  }
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", value);
  return std::stod(digits);
}

/// Whether an entry is an object with a number of this name. Other programs may write into logs
/// too.
bool is_number(const Json& entry, const char* key) {
  return entry.is_object() && entry.contains(key) && entry.at(key).is_number();
}

/// Whether this line reports a step or evaluation before `state`.
bool is_before(const std::string& line, const TrainState& state) {
  const Json entry = Json::parse(line, nullptr, false);
  if (!entry.is_object() || !entry.contains("step") || !entry["step"].is_number_integer()) {
    return false;  // the incomplete last line of a killed run
  }
  const auto step = entry["step"].get<std::int64_t>();
  return entry.contains("val_loss") ? step <= state.evaluated_step : step < state.step;
}

void drop_later_entries(const std::string& file, const TrainState& state) {
  if (!fs::is_regular_file(file)) {
    return;  // does not exist yet, or is a pipe
  }
  const std::string temporary = file + ".tmp";
  {
    std::ifstream in(file);
    std::ofstream out(temporary);
    for (std::string line; std::getline(in, line);) {
      if (is_before(line, state)) {
        out << line << '\n';
      }
    }
    out.flush();
    if (!out) {
      fail_to_write(temporary, errno);
    }
  }
  sync_to_disk(temporary);  // otherwise power loss after the renaming could empty the log
  fs::rename(temporary, file);
}

}  // namespace

RunLog::RunLog(std::string file, const TrainState* resumed)
    : file_(std::move(file)), stream_(nullptr, &std::fclose) {
  if (resumed != nullptr) {
    drop_later_entries(file_, *resumed);
  }
  stream_.reset(std::fopen(file_.c_str(), resumed != nullptr ? "a" : "w"));
  if (!stream_) {
    fail_to_write(file_, errno);
  }
  sync_entry_of(file_);
}

void RunLog::add(const StepReport& report, double bits_per_byte) {
  Json json = {{"step", report.step},
               {"loss", six_figures(report.loss)},
               {"lr", six_figures(report.learning_rate)},
               {"ms", rounded(six_figures(report.milliseconds), 1e-3)},
               {"tokens_per_second", std::llround(report.tokens_per_second)}};
  if (bits_per_byte > 0) {
    json["bits_per_byte"] = six_figures(bits_per_byte);
  }
  write(json.dump());
}

void RunLog::add(const EvalReport& report, double bits_per_byte) {
  Json json = {{"step", report.step},
               {"train_loss", six_figures(report.train_loss)},
               {"val_loss", six_figures(report.val_loss)}};
  for (const Score& score : report.scores) {
    json["scores"][score.name] = six_figures(score.value);
  }
  if (bits_per_byte > 0) {
    json["bits_per_byte"] = six_figures(bits_per_byte);
  }
  write(json.dump());
}

void RunLog::sync() {
  // Pipes and devices cannot be synced and return EINVAL.
  if (fsync(fileno(stream_.get())) != 0 && errno != EINVAL && errno != ENOTSUP) {
    fail_to_write(file_, errno);
  }
}

void RunLog::write(const std::string& line) {
  if (std::fputs((line + "\n").c_str(), stream_.get()) < 0 || std::fflush(stream_.get()) != 0) {
    fail_to_write(file_, errno);
  }
}

LossHistory read_losses(const fs::path& log) {
  LossHistory history;
  if (!fs::is_regular_file(log)) {
    return history;  // a pipe cannot be read again
  }
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) {
    const Json entry = Json::parse(line, nullptr, false);
    const auto add = [&](auto& losses, const char* key) {
      if (is_number(entry, "step") && is_number(entry, key)) {
        losses.emplace_back(entry.at("step").get<double>(), entry.at(key).get<double>());
      }
    };
    add(history.train, "train_loss");
    add(history.val, "val_loss");
    add(history.batches, "loss");
  }
  return history;
}

}  // namespace gradus
