#include "nn/files/replace_folder.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "nn/files/checkpoint.h"
#include "nn/files/gpt_files.h"
#include "nn/text/file.h"
#include "tests/nn/tiny_run.h"

using namespace gradus;

namespace {

namespace fs = std::filesystem;

/// Returns a `fill` that writes two files with the same number.
auto number(int value) {
  return [value](const fs::path& folder) {
    write_file((folder / "a").string(), std::to_string(value));
    write_file((folder / "b").string(), std::to_string(value));
  };
}

int number_in(const fs::path& folder) {
  const std::string a = bytes_of(find_folder(folder) / "a");
  CHECK(bytes_of(find_folder(folder) / "b") == a);
  return a.empty() ? -1 : std::stoi(a);
}

/// The number of entries in a folder.
std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// Runs `work` in a child process until it ends or is killed after `microseconds`.
/// @returns its exit status, or -1 if it was killed.
template <class Work>
int in_child(int microseconds, Work work) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    int status = 1;
    try {
      status = work();
    } catch (...) {
    }
    _exit(status);
  }
  if (microseconds > 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    kill(child, SIGKILL);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("replace folder: makes a new one, and puts another in its place") {
  for (const Exchange exchange : {Exchange::kIfPossible, Exchange::kNever}) {
    const TemporaryFolder parent;
    const fs::path folder = parent.path / "new" / "last";
    replace_folder(folder, number(1), exchange);
    CHECK(number_in(folder) == 1);
    replace_folder(folder / "", number(2), exchange);  // with a slash at the end
    CHECK(number_in(folder) == 2);
    CHECK(entries(folder.parent_path()) == 1);
  }
}

TEST_CASE("replace folder: when filling fails, the old one stands and nothing is left over") {
  const TemporaryFolder parent;
  const fs::path folder = parent.path / "last";
  replace_folder(folder, number(1));
  const auto fails = [&](const fs::path& temporary) {
    number(2)(temporary);
    throw std::runtime_error("full");
  };
  CHECK_THROWS_WITH_AS(replace_folder(folder, fails), "full", std::runtime_error);
  CHECK(number_in(folder) == 1);
  CHECK(entries(parent.path) == 1);
}

TEST_CASE("replace folder: finds and removes the remains of interrupted calls") {
  const TemporaryFolder parent;
  const fs::path folder = parent.path / "last";
  number(1)(fs::create_directory(parent.path / ".last.old") ? parent.path / ".last.old" : "");
  fs::create_directories(parent.path / ".last.tmp" / "half");
  CHECK(find_folder(folder) == parent.path / ".last.old");
  CHECK(number_in(folder) == 1);
  const auto fails = [](const fs::path&) { throw std::runtime_error("full"); };
  CHECK_THROWS(replace_folder(folder, fails));
  CHECK(find_folder(folder) == folder);
  CHECK(number_in(folder) == 1);
  CHECK(entries(parent.path) == 1);
}

TEST_CASE("replace folder: places where no folder can be are named") {
  const TemporaryFolder parent;
  overwrite(parent.path / "file", "precious");
  CHECK_THROWS_WITH_AS(replace_folder(parent.path / "file", number(1)),
                       doctest::Contains("file: is not a folder (move it away)"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(replace_folder(parent.path / "file" / "last", number(1)),
                       doctest::Contains("file: cannot be written: Not a directory"),
                       std::runtime_error);
  CHECK(bytes_of(parent.path / "file") == "precious");
}

TEST_CASE("replace folder: a whole folder is there after a kill at any moment") {
  for (const Exchange exchange : {Exchange::kIfPossible, Exchange::kNever}) {
    const TemporaryFolder parent;
    const fs::path folder = parent.path / "last";
    replace_folder(folder, number(0), exchange);
    int newest = 0;
    for (int i = 0; i < 100; ++i) {
      const int killed = in_child(50 + 37 * i % 4001, [&] {
        for (int value = newest + 1;; ++value) replace_folder(folder, number(value), exchange);
        return 0;
      });
      REQUIRE(killed == -1);
      const int value = number_in(folder);
      REQUIRE(value >= newest);
      newest = value;
    }
    CHECK(newest > 0);
  }
}

TEST_CASE("checkpoint: a whole one is there after a kill at any moment") {
  const TinyRun run;
  const TemporaryFolder parent;
  const fs::path folder = parent.path / "last";
  Gpt model(run.config);
  AdamW adamw(parameters(model), {});
  // Checkpoint number n has n in one parameter, in the state and in the optimiser's steps.
  const auto save = [&](std::int64_t n) {
    TrainState state;
    state.step = n;
    adamw.set_steps(n);
    model.wpe.weight.mutable_data()[0] = static_cast<Scalar>(n);
    save_checkpoint(folder, writer(model, run.tokenizer), state, adamw);
  };
  save(0);
  std::int64_t newest = 0;
  // Children run longer and longer until one saves: with sanitizers this is slow.
  for (int i = 0; i < 100 || (newest == 0 && i < 1000); ++i) {
    in_child((500 + 211 * i % 9001) * (1 + i / 100), [&] {
      for (std::int64_t n = newest + 1;; ++n) save(n);
      return 0;
    });
    const Checkpoint kept = load_checkpoint(folder);
    load_optimiser(folder, adamw);
    REQUIRE(kept.state->step >= newest);
    newest = kept.state->step;
    REQUIRE(kept.model.wpe.weight.data()[0] == static_cast<Scalar>(newest));
    REQUIRE(adamw.steps() == newest);
  }
  CHECK(newest > 0);
}

TEST_CASE("checkpoint: a disk that is full leaves the earlier one, and is named") {
  const TinyRun run;
  const TemporaryFolder parent;
  const fs::path folder = parent.path / "last";
  Gpt model(run.config);
  const AdamW adamw(parameters(model), {});
  save_checkpoint(folder, writer(model, run.tokenizer), {}, adamw);
  for (const rlim_t limit : {0, 100, 5000, 12000}) {  // the limit of a file's size in bytes
    CAPTURE(limit);
    const int status = in_child(0, [&] {
      signal(SIGXFSZ, SIG_IGN);  // so that writing fails, as on a full disk
      const rlimit bytes{limit, limit};
      setrlimit(RLIMIT_FSIZE, &bytes);
      TrainState state;
      state.step = 1;
      try {
        save_checkpoint(folder, writer(model, run.tokenizer), state, adamw);
      } catch (const std::runtime_error& error) {
        const std::string message = error.what();
        return message.find(".safetensors: cannot be written: File too large") < 1000 ? 42 : 1;
      }
      return 2;
    });
    CHECK(status == 42);
    CHECK(load_checkpoint(folder).state->step == 0);
    CHECK(entries(parent.path) == 1);
  }
}
