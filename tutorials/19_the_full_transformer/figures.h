/// @file
/// The output and drawings of chapter 19.
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/grid.h"

using Names = std::vector<std::string>;

/// The mean of some runs, with the smallest and the largest.
std::string spread(const std::vector<double>& runs, int digits);

/// The names in columns of one width.
void print_columns(const char* title, const Names& names);

/// The loss at each hundredth step, and the last, above the least that any model can reach.
void print_losses(const std::vector<double>& losses, double floor);

/// A token of a decoding step: its number, word, logit, log-probability and probability.
void print_token(int token, const std::string& word, double logit, double log_p);

/// Cross-attention: a heatmap of purchases, [7, 6]; and all heads for one sentence, layers of
/// [H, T, S], which get a head more: the mean of all. Rows are the words that are written.
void draw_alignment(const course::Grid& weights);
void draw_explorer(const std::vector<course::Grid>& layers, const Names& read, const Names& written,
                   const Names& source);

/// The results of two searches after this many steps of training, at several seeds.
struct Searched {
  int steps = 0;
  std::vector<double> greedy = {}, beam = {};  // shares of right translations
  double greedy_log_p = 0, beam_log_p = 0;     // mean ln P
  int wrong = 0, preferred = 0;                // of the beam's: see Judged
};

/// The models of all seeds after training: the last losses, how often a layer points to the right
/// word, and at how many seeds a beam found both translations, and a more probable one.
struct Ends {
  std::vector<double> loss, loss_without, layer_1, layer_2;
  int both = 0, more_probable = 0;
};

void print_long(const std::vector<Searched>& searched, const Ends& ends);

/// The title, and a row, of the table of choices: a model after some steps, at several seeds.
void print_choices_title();
void print_choice(const char* name, int steps, const std::vector<double>& losses,
                  const std::vector<double>& probabilities, const std::vector<double>& right);
