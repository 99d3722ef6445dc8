/// @file
/// Readers for the user's data: pairs and labelled lines as text, images in MNIST's format. Each
/// reader has a writer, whose output it reads back.
///
/// Texts are UTF-8, one item a line, fields parted by a tab, lines ended by LF or CR LF; a byte
/// order mark at the start and blank lines are skipped. There are no quotes and no escapes: a field
/// holds no tab and no line end. IDX files may be compressed by gzip, as MNIST is handed out.
/// Whatever is wrong is an error that names file, line or byte, and what to do. Left out on
/// purpose: CSV, compressed texts, IDX of other types than bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/tensor.h"
#include "nn/data/labelled.h"
#include "nn/data/translation.h"

namespace gradus {

/// @addtogroup data
/// @{

/// Pairs from lines `source TAB target`. Further translations of a source follow on other lines
/// that repeat it, anywhere in the file, or in further fields of the same line.
/// @code
/// write_pairs("pairs.txt", {{"the cat", {"o gato", "a gata"}}});
/// read_pairs("pairs.txt")[0].targets;  // ["o gato", "a gata"]
/// @endcode
/// @throws std::runtime_error naming file and line of a missing or empty field, or of invalid UTF-8
std::vector<SentencePair> read_pairs(const std::string& file);

/// Writes each target on a line with its source. @throws std::invalid_argument for a text with a
///   tab or a line end in it, or an empty one; std::runtime_error if the file cannot be written
void write_pairs(const std::string& file, const std::vector<SentencePair>& pairs);

/// Texts from lines `label TAB text`. The labels are numbered in the order of their bytes, so that
/// the order of lines does not matter; with `labels` given they are these, and others an error:
/// that is how a held-out file gets the numbers of the one trained on.
/// @code
/// write_labelled("films.txt", {{"bad", "good"}, {{"a fine film", 1}, {"dull", 0}}});
/// read_labelled("films.txt").items[0].label;  // 1
/// @endcode
/// @throws std::runtime_error naming file and line of a missing or empty field, an unknown label or
///   invalid UTF-8
LabelledSet read_labelled(const std::string& file, const std::vector<std::string>& labels = {});

/// Writes such lines. @throws std::invalid_argument for a text or label with a tab or a line end in
///   it, an empty one, or an item without label; std::runtime_error if the file cannot be written
void write_labelled(const std::string& file, const LabelledSet& set);

/// Images [N, H, W] from an IDX file of bytes (LeCun's format for MNIST), 0 to 255 as 0 to 1.
/// What the header claims is believed only if the file has exactly that size, unpacked if it is a
/// .gz; beyond that nothing is unpacked.
/// @code
/// write_idx_images("images", draw_digits(3, 1).images);
/// read_idx_images("images").shape();  // [3, 28, 28]
/// @endcode
/// @throws std::runtime_error naming the file and what is wrong at which byte
Tensor read_idx_images(const std::string& file);

/// Labels [N] from an IDX file of bytes, `train-labels-idx1-ubyte` or its .gz.
/// @throws std::runtime_error as read_idx_images() does
IndexTensor read_idx_labels(const std::string& file);

/// Writes images [N, H, W], rounded to 256 greys.
/// @throws std::invalid_argument for another shape or a number outside [0, 1]; std::runtime_error
/// if
///   the file cannot be written
void write_idx_images(const std::string& file, const Tensor& images);

/// Writes labels [N].
/// @throws std::invalid_argument for another shape or a label outside [0, 255]; std::runtime_error
///   if the file cannot be written
void write_idx_labels(const std::string& file, const IndexTensor& labels);

/// @}

}  // namespace gradus
