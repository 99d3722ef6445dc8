// The drawings of chapter 25, and the printing of its numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tutorials/common/grid.h"
#include "tutorials/common/part.h"

using course::Part;
using Seeds = std::vector<double>;

/// The mean of losses[begin, end).
double mean_of(const std::vector<double>& losses, std::size_t begin, std::size_t end);

/// A row of the table of shapes: a tensor of each folder, or none.
void print_shapes(const std::string& one, const std::string& its_shape, const std::string& other,
                  const std::string& other_shape);
/// The numbers of a row after each norm.
void print_norms(const char* name, const course::Grid& layer, const course::Grid& rms);
/// The parameters of both networks at C channels, without biases.
void print_networks(std::int64_t channels, std::int64_t plain, std::int64_t hidden,
                    std::int64_t gated);
/// Numbers in the cache for each token, and gigabytes for 8192 tokens in 16 bits.
void print_cache(const char* name, int layers, int heads, int kv_heads, int width);
/// A row of the ladder: mean and range of the seeds.
void print_rung(const char* name, const Seeds& losses, std::int64_t parameters, std::int64_t cache);
/// The time of a training step in a row of the ladder.
void print_step(const char* name, double ms);
/// Losses by quarters of 256 positions, for each way.
void print_lengths(const std::vector<std::vector<double>>& all);
/// The curve of the first way alone, then the curves of all.
void draw_lengths(const std::vector<std::vector<double>>& all);
/// How far a pair turns, and the losses if it alone is slowed down. Pair -1 is none.
void print_pair(int pair, const std::vector<double>& turns, double inside, double beyond);
/// Losses inside and beyond the trained length, before and after more training.
struct Row {
  Seeds inside, beyond, inside_after, beyond_after;
};
void print_longer(const std::vector<Row>& rows);
