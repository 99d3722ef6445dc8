/// @file
/// The drawings and output of chapter 16.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// A line for one token, below a heading at first.
void print_token(std::int32_t token, char character, double logit, double log, double share);

/// A text with a slash for the end of each line.
std::string on_one_line(std::string text);

/// The words of a text: letters with nothing else between them.
std::vector<std::string> whole_words(const std::string& text);

/// Prints counts in five texts: mean and range of two shares.
void print_counts(const char* name, const std::vector<double>& real,
                  const std::vector<double>& repeated);

/// The CPU time of the shortest of some runs, in ms, without the machine's other work.
double shortest_ms(const std::function<void()>& run);

/// Milliseconds for the next token by the number of tokens before it.
void draw_times(const std::vector<double>& lengths, const std::vector<double>& once,
                const std::vector<double>& again);
