/// @file
/// The commands of the `gradus` program. Each takes the arguments after its name and returns the
/// exit code.
///
/// Exit codes: 0 done; 1 something failed (a file, the disk, the memory, a loss that became NaN); 2
/// the command line is wrong; 128 + N: stopped by signal N after saving (129 hangup, 130 Ctrl-C,
/// 141 closed pipe, 143 SIGTERM). Results go to standard output, everything else to standard error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradus {

inline constexpr const char* kVersion = "0.1.0";

using Arguments = std::vector<std::string>;

int train_command(const Arguments& arguments);
int sample_command(const Arguments& arguments);
int eval_command(const Arguments& arguments);
int predict_command(const Arguments& arguments);
int info_command(const Arguments& arguments);
int finetune_command(const Arguments& arguments);
int tokenize_command(const Arguments& arguments);
int attention_command(const Arguments& arguments);
int vectors_command(const Arguments& arguments);
int doctor_command(const Arguments& arguments);

/// Whether there is a command of this name.
bool is_command(const std::string& name);

/// The name with which the program was called, for commands in messages: `./run`, `build/gradus`.
const std::string& program_name();
void set_program_name(std::string name);

/// `--name=value` for a shell, quoted if the value needs it.
std::string shell_flag(const std::string& name, const std::string& value);

/// Prints `gradus: message` on standard error. The message goes through printable(), because it may
/// quote files and lines that others wrote.
void note(const std::string& message);

/// Writes a result to standard output and flushes it. For a terminal the result goes through
/// printable(); a pipe or a file gets every byte.
/// @throws std::runtime_error if it cannot be written, for example because the disk is full.
void print(std::string_view result);

}  // namespace gradus
