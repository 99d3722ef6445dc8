/// @file
/// The drawings of chapter 21: images, and attention on them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tutorials/common/plot.h"

/// An image, and the same with its patches in another order, each beside its patches in a row.
/// Patch i of the second is patch order[i] of the first.
void draw_sentence(const course::Grid& image, const course::Grid& shuffled,
                   const std::vector<int>& order);
/// Ten images [10, 16, 16], five in a row, with their patches' edges.
void draw_sheet(const course::Grid& images);
/// Images, and on each the attention weights [B, H, T, T] of the class token in every head.
void draw_attention(const course::Grid& images, const course::Grid& weights,
                    const std::vector<int>& guesses);
/// The percentage of patches with ink, and their percentage of the class token's weight in each
/// layer, [B, H, T, T].
std::vector<double> percent_ink(const course::Grid& images,
                                const std::vector<course::Grid>& layers);
/// The ink in all images: mean width and height, and how far its middle varies.
void print_extent(const course::Grid& images);
/// For each digit: how often models with positions read it right, and without; as which other the
/// latter read it most often, and how often that happens to the former. The guesses of a model
/// follow the guesses of the previous model.
void print_confusions(const std::vector<int>& labels, const std::vector<int>& with,
                      const std::vector<int>& without);
/// The explorer of one image's weights, a [1, H, T, T] for each layer.
void draw_explorer(const course::Grid& image, const std::vector<course::Grid>& layers);
/// Two squares of squares, before training and after: for each patch, the similarities [N, N] of
/// its position to all.
void draw_similarities(const course::Grid& before, const course::Grid& after);
/// The mean similarity [N, N] of patches beside each other, of others in a row, of those above each
/// other, and of all others: mean and range over seeds, a column for each name. Patch i is patch
/// order[i] of the image; all are if it is empty.
void print_neighbours(const std::vector<std::pair<const char*, std::vector<course::Grid>>>& columns,
                      const std::vector<int>& order = {});
/// Prints the mean squared error on hidden patches of the drawn images, and of the average image in
/// their place. Draws some images [N, 16, 16]: the visible part, the model's drawing, and the
/// original. In patches [N, 16], hidden patches are 1.
void show_masked(const course::Grid& images, const course::Grid& hidden, const course::Grid& drawn,
                 const course::Grid& average, const std::vector<std::int64_t>& shown);
/// The CPU time of this process so far.
double seconds_of_cpu();
