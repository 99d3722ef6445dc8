/// @file
/// What chapter 10 prints and draws.
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/grid.h"

/// Prints the shape of a tensor as it is at this point of the program.
void print_shape(const char* what, const course::Grid& x);
/// Prints the title, and a row, of the comparison of one head and two.
void print_title();
void print_questions(int heads, int steps, std::int64_t parameters, const std::vector<double>& who,
                     const std::vector<double>& whom);
/// Prints the verb's mean weights on the three words, with one head and with two: [H, 1, 3].
void print_verb(const course::Grid& one, const course::Grid& two);

/// Of each head, four in each of two layers: its mean weight on the previous word, that on words
/// that followed the present one before, and the share of right answers without the head.
using HeadTable = std::vector<std::vector<double>>;
/// A seed in one row: right answers of one layer and of two, the largest weights of a head of layer
/// 1 on the previous word and of layer 2 on repeated ones, and the least shares without a head.
std::vector<double> summary(const HeadTable& heads, double one, double two);
void print_heads(const HeadTable& heads);
void print_seeds(const std::vector<std::vector<double>>& rows);
/// What is left without the head missed most, and without all heads of a kind.
void print_kinds(const std::vector<std::vector<double>>& rows,
                 const std::vector<std::vector<double>>& kinds);
/// All heads as a page to look into, and beside each other: the weights of each layer, [1, H, T,
/// T].
void draw_heads(const std::vector<course::Grid>& layers);
