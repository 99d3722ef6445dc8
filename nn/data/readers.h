/// @file
/// Readers for the user's data: pairs and labelled lines as text, images in MNIST's format.
///
/// Texts are UTF-8, one item a line, fields parted by a tab, lines ended by LF or CR LF; a byte
/// order mark at the start and blank lines are skipped. There are no quotes and no escapes: a field
/// holds no tab and no line end. IDX files may be compressed by gzip, as MNIST is handed out.
/// Whatever is wrong is an error that names file, line or byte, and what to do. Left out on
/// purpose: CSV, compressed texts, IDX of other types than bytes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/tensor.h"
#include "nn/data/items.h"

namespace gradus {

/// @addtogroup data
/// @{

/// Pairs from lines `source TAB target`. Further translations of a source follow on other lines
/// that repeat it, anywhere in the file, or in further fields of the same line.
/// @code
/// std::ofstream("pairs.txt") << "the cat\to gato\nthe cat\ta gata\n";
/// read_pairs("pairs.txt")[0].targets;  // ["o gato", "a gata"]
/// @endcode
/// @throws std::runtime_error naming file and line of a missing or empty field, or of invalid UTF-8
std::vector<SentencePair> read_pairs(const std::string& file);

/// Texts from lines `label TAB text`. Blanks around a label are no part of it. The labels are
/// numbered in the order of their bytes, so that the order of lines does not matter; with `labels`
/// given they are these, and others an error: that is how a held-out file gets the numbers of the
/// one trained on.
/// @code
/// std::ofstream("films.txt") << "good\ta fine film\nbad\tdull\n";
/// read_labelled("films.txt").items[0].label;  // 1
/// @endcode
/// @throws std::runtime_error naming file and line of a missing or empty field, an unknown label or
///   invalid UTF-8
LabelledSet read_labelled(const std::string& file, const std::vector<std::string>& labels = {});

/// Images [N, H, W] from an IDX file of bytes (LeCun's format for MNIST), 0 to 255 as 0 to 1.
/// What the header claims is believed only if the file has exactly that size, unpacked if it is a
/// .gz; beyond that nothing is unpacked.
/// @code
/// const std::string header("\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x01", 16);  // of one, 2 x 1
/// std::ofstream("images") << header << '\0' << '\xff';
/// read_idx_images("images");  // [[[0], [1]]]
/// @endcode
/// @throws std::runtime_error naming the file and what is wrong at which byte
Tensor read_idx_images(const std::string& file);

/// Labels [N] from an IDX file of bytes, `train-labels-idx1-ubyte` or its .gz.
/// @throws std::runtime_error as read_idx_images() does
IndexTensor read_idx_labels(const std::string& file);

/// Images and their labels from two such files. Their numbers are compared before anything but the
/// two headers is unpacked.
/// @throws std::runtime_error as read_idx_images() does, and if there are not as many labels
std::pair<Tensor, IndexTensor> read_idx_pair(const std::string& images, const std::string& labels);

/// @}

}  // namespace gradus
