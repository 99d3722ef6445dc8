/// @file
/// The `gradus` program: runs a command, and prints an error if it fails.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "autograd/check.h"
#include "autograd/kernels/blas.h"
#include "cli/cluster/cluster.h"
#include "cli/program/command.h"
#include "cli/program/flags.h"
#include "cli/program/help_text.h"
#include "cli/program/prepare_process.h"

namespace gradus {
using namespace detail;
namespace {

struct Command {
  const char* name;
  const char* purpose;
  int (*run)(const Arguments&);
};

constexpr Command kCommands[] = {
    {"train", "train a GPT on a text, or another model on examples", train_command},
    {"finetune", "fine-tune a trained model on examples of a task", finetune_command},
    {"sample", "generate text with a trained GPT", sample_command},
    {"eval", "compute the exact loss of a trained GPT on a text", eval_command},
    {"predict", "translate, classify or complete texts with a trained model", predict_command},
    {"info", "describe a checkpoint", info_command},
    {"tokenize", "train a tokenizer, or encode and decode text with one", tokenize_command},
    {"attention", "show which tokens attend to which", attention_command},
    {"vectors", "train word vectors on a text, or list the nearest words", vectors_command},
    {"doctor", "check this machine and this build", doctor_command},
};

std::string usage() {
  const std::size_t width = help_width();
  const std::string called = program_name();
  std::string out =
      wrapped("gradus trains small GPTs and other transformers, and uses them.", width, 0) +
      "\n\nusage: " + called + " COMMAND [FLAGS]\n\n";
  for (const Command& command : kCommands) {
    std::string name = text("  ", command.name);
    name.resize(13, ' ');
    out += name + wrapped(command.purpose, width, 13) + "\n";
  }
  return as_called(out +
                   "\nTrain on the bundled tales, and print a new one:\n"
                   "    gradus train\n"
                   "Train on a text of your own:\n"
                   "    gradus train --text notes.txt\n"
                   "Continue a text with the newest model:\n"
                   "    gradus sample --start 'The fox'\n\n") +
         wrapped("'" + called +
                     " help COMMAND' lists the flags of a command, with examples. Results go "
                     "to standard output, messages go to standard error. Exit codes: 0: success; "
                     "1: failure; 2: invalid command line; 128 + N: stopped by signal N (129: "
                     "hangup, 130: Ctrl-C, 141: closed pipe, 143: SIGTERM).",
                 width, 0) +
         "\n";
}

int dispatch(Arguments arguments) {
  if (arguments.empty()) {
    std::fputs(usage().c_str(), stderr);
    return 2;
  }
  std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "--version" || name == "version") {
    print(text("gradus ", kVersion, "\n"));
    return 0;
  }
  if (name == "--help" || name == "-h" || name == "help") {
    if (name != "help" || arguments.empty()) {
      print(usage());
      return 0;
    }
    name = arguments.front();
    arguments = {"--help"};
  }
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    if (name == command.name) {
      if (name != "train" && name != "finetune" && is_spare_process()) {
        return 0;  // the first process does it for all
      }
      if (name != "info" && name != "tokenize") {  // these two multiply nothing
        claim_blas_memory();
      }
      return command.run(arguments);
    }
    names.emplace_back(command.name);
  }
  const std::string hint = did_you_mean(name, names);
  fail(name, ": is not a command (", hint, hint.empty() ? "'" : " '", program_name(),
       " help' lists them)");
}

int run(int argc, char** argv) {
  const auto trouble = [](const std::string& what) { note(trouble_of_rank() + what); };
  try {
    return leave_ranks(dispatch(Arguments(argv + 1, argv + argc)));
  } catch (const std::invalid_argument& error) {
    trouble(error.what());
    return end_ranks(2);
  } catch (const std::bad_alloc&) {
    trouble("out of memory (close other programs, or choose a smaller text or model)");
  } catch (const std::filesystem::filesystem_error& error) {
    trouble(text(error.path1().string(), ": cannot be read or written: ", error.code().message(),
                 " (check the path and its permissions)"));
  } catch (const nlohmann::json::exception& error) {
    trouble(text("a JSON file is damaged: ", error.what(), " (use another checkpoint)"));
  } catch (const std::exception& error) {
    trouble(error.what());
  }
  return end_ranks(1);
}

}  // namespace

bool is_command(const std::string& name) {
  return std::ranges::find(kCommands, name, &Command::name) != std::end(kCommands);
}

}  // namespace gradus

namespace {

/// Opens descriptors 0 to 2 if the caller has closed them. Otherwise the next files that are opened
/// would get these numbers, and messages for standard error would be written into a log or a model.
/// A closed standard output becomes a file that cannot be written, because a result has nowhere to
/// go.
void open_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
      const int access = descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR;
      [[maybe_unused]] const int opened = open("/dev/null", access);  // gets the lowest free number
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  gradus::prepare_process(argv);
  // Writing beyond the size limit of files must be an error, like a full disk, and not end the
  // program.
  std::signal(SIGXFSZ, SIG_IGN);
  const char* name = std::getenv("GRADUS_PROGRAM");
  gradus::set_program_name(name != nullptr ? name : argv[0] != nullptr ? argv[0] : "gradus");
  return gradus::run(argc, argv);
}
