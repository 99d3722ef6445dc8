/// @file
/// The output and drawings of chapter 10.
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/grid.h"

/// Prints the shape of a tensor as it is at this point of the program.
void print_shape(const char* what, const course::Grid& x);
/// The answers of models of eight seeds: the shares of right names, and the weights of the verb at
/// seed 1, seven numbers for each head.
struct Answers {
  int heads, steps;
  std::int64_t parameters = 0;
  std::vector<double> who = {}, whom = {}, verb = {};
};
/// Prints a row for each; and the verb's weights, if there are two.
void print_questions(const char* part, const std::vector<Answers>& rows);

/// For each head, four in each of two layers: its mean weight on the previous word, its mean weight
/// on successors, and the share of right answers without the head.
using HeadTable = std::vector<std::vector<double>>;
/// A seed in one row: right answers of one layer and of two, the largest weights of a head of layer
/// 1 on the previous word and of layer 2 on successors, and the least shares without a head.
std::vector<double> summary(const HeadTable& heads, double one, double two);
void print_heads(const HeadTable& heads);
void print_seeds(const std::vector<std::vector<double>>& rows);
/// For one layer and for two, seed after seed: the continuations of broken rows.
void print_rules(const std::vector<std::vector<double>>& continued);
/// For one layer, trained longer: the continuations of broken rows, and the share of right answers.
void print_one_layer(int steps, const std::vector<std::vector<double>>& rows);
/// The results without the most important head, and without all heads of a kind.
void print_kinds(const std::vector<std::vector<double>>& rows,
                 const std::vector<std::vector<double>>& kinds);
/// All heads as a page to look into, and beside each other: the weights of each layer, [1, H, T,
/// T].
void draw_heads(const std::vector<course::Grid>& layers);
