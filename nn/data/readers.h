/// @file
/// Readers for your own data: pairs and labelled lines as text, images in MNIST's format.
///
/// Texts are UTF-8 with one item per line, tabs between fields, and line ends LF or CR LF. A byte
/// order mark at the start and blank lines are skipped. There are no quotes and no escapes: a field
/// holds no tab and no line end. IDX files may be compressed with gzip, as MNIST's are. Every error
/// names the file, the line or byte, and the remedy. Left out on purpose: CSV, compressed texts,
/// IDX with other types than bytes.
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

/// Reads pairs from lines `source TAB target`. Further translations of a source are further fields
/// of the same line, or other lines with the same source anywhere in the file.
/// @code
/// std::ofstream("pairs.txt") << "the cat\to gato\nthe cat\ta gata\n";
/// read_pairs("pairs.txt")[0].targets;  // ["o gato", "a gata"]
/// @endcode
/// @throws std::runtime_error naming file and line of a missing or empty field, or of invalid UTF-8
std::vector<SentencePair> read_pairs(const std::string& file);

/// Reads prompts with two answers from lines `prompt TAB better TAB worse`. A blank is put between
/// prompt and answer where there is none.
/// @code
/// std::ofstream("preferences.txt") << "2 + 2 =\t4\t5\n";
/// read_preferences("preferences.txt")[0].better;  // " 4"
/// @endcode
/// @throws std::runtime_error naming file and line of a missing, empty or further field, or of
/// invalid UTF-8
std::vector<Preference> read_preferences(const std::string& file);

/// The answer with a blank before it, unless the prompt ends or the answer begins with one.
std::string parted_answer(const std::string& prompt, const std::string& answer);

/// Reads texts from lines `label TAB text`. Blanks around a label are not part of the label.
/// Without `labels`, the labels are numbered in the order of their bytes, so that the order of
/// lines does not matter. With `labels`, their order gives the numbers, and any other label is an
/// error. A held-out file thus gets the same numbers as the training file.
/// @code
/// std::ofstream("films.txt") << "good\ta fine film\nbad\tdull\n";
/// read_labelled("films.txt").items[0].label;  // 1
/// @endcode
/// @throws std::runtime_error naming file and line of a missing or empty field, an unknown label or
///   invalid UTF-8
LabelledSet read_labelled(const std::string& file, const std::vector<std::string>& labels = {});

/// Reads images [N, H, W] from an IDX file of bytes (LeCun's format for MNIST). Bytes 0 to 255
/// become numbers from 0 to 1. The file, unpacked if it is a .gz, must have exactly the size in its
/// header; no more than this size is unpacked.
/// @code
/// const std::string header("\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x01", 16);  // of one, 2 x 1
/// std::ofstream("images") << header << '\0' << '\xff';
/// read_idx_images("images");  // [[[0], [1]]]
/// @endcode
/// @throws std::runtime_error naming the file, the error and its byte
Tensor read_idx_images(const std::string& file);

/// Reads labels [N] from an IDX file of bytes, `train-labels-idx1-ubyte` or its .gz.
/// @throws std::runtime_error as read_idx_images() does
IndexTensor read_idx_labels(const std::string& file);

/// Reads images [N, H, W] and their labels [N] from two such files. Compares the numbers of items
/// before it unpacks more than the two headers.
/// @throws std::runtime_error as read_idx_images() does, and if the numbers of images and labels
/// differ
std::pair<Tensor, IndexTensor> read_idx_pair(const std::string& images, const std::string& labels);

/// @}

}  // namespace gradus
