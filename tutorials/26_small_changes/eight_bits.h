/// @file
/// Chapter 26: the translator's matrices in eight bits, and the effect of an outlier.
#pragma once

#include "pocket/int8.h"
#include "tutorials/26_small_changes/adapters.h"

// [rows]
inline void print_int8(const char* name, const std::vector<Scalar>& row) {
  const Int8Row stored = to_int8(row);
  std::printf("%-9s", name);
  for (const Scalar x : row) std::printf(" %6.2f", double{x});
  std::printf("\nscale     %.4f\nstored   ", double{stored.scale});
  for (const std::int8_t n : stored.whole) std::printf(" %6d", n);
  std::printf("\nrestored ");
  for (const std::int8_t n : stored.whole) std::printf(" %6.2f", double{stored.scale * n});
  std::printf("\n");
}

inline void rows() {
  const Part part("rows");
  print_int8("a row", {0.31f, -0.08f, 0.52f, 0.14f, -0.43f, 0.02f});
  print_int8("outlier", {0.31f, -0.08f, 52, 0.14f, -0.43f, 0.02f});
}
// [rows]

// [in_int8]
/// Rounds each matrix of a copy to eight bits a number. Adds up the bytes; vectors stay floats.
inline Gpt in_int8(Gpt& model, Index& bytes) {
  Gpt rounded = copy_of(model);
  bytes = 0;
  visit_parameters(rounded, [&](const std::string&, Tensor& x) {
    if (x.rank() < 2) {
      bytes += 4 * x.size();
      return;
    }
    const Int8Matrix matrix(x);
    x = matrix.restored();
    bytes += matrix.bytes();
  });
  return rounded;
}
// [in_int8]

// [with_outliers]
/// The same function with an outlier in each row of the values: the first number of each value is
/// `factor` times as large, and the output matrix divides by it again.
inline Gpt with_outliers(Gpt& model, Scalar factor) {
  Gpt same = copy_of(model);
  for (Block& block : same.h) {
    Tensor &value = block.attn.value.weight, &output = block.attn.output.weight;
    for (Index i = 0; i < value.size(0); ++i) value.mutable_data()[i * value.size(1)] *= factor;
    block.attn.value.bias.mutable_data()[0] *= factor;
    for (Index j = 0; j < output.size(1); ++j) output.mutable_data()[j] /= factor;
  }
  return same;
}
// [with_outliers]

// [eight_bits]
constexpr std::array<int, 4> kFactors = {1, 10, 100, 1000};

/// Adds the loss in floats, the loss in eight bits, and the share that is right in eight bits.
inline void add_int8(std::vector<Columns>& rows, const Course& course, Gpt& model) {
  rows.resize(kFactors.size(), Columns(3));
  for (std::size_t i = 0; i < kFactors.size(); ++i) {
    Gpt same = with_outliers(model, Scalar(kFactors[i]));
    Index bytes = 0;
    const Score whole = score(same, course.held_out[kTranslation]);
    const Score eight = score(in_int8(same, bytes), course.held_out[kTranslation]);
    rows[i][0].push_back(whole.loss), rows[i][1].push_back(eight.loss);
    rows[i][2].push_back(eight.exact);
  }
}

inline void print_int8_table(const std::vector<Columns>& rows) {
  print_heads("outliers", {"loss, 32 bits", "loss, 8 bits", "right, 8 bits"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string times = "times " + std::to_string(kFactors[i]);
    print_row(kFactors[i] == 1 ? "none" : times, rows[i], {3, 3, 2});
  }
}

inline void eight_bits(const Course& course, Gpt& model) {
  const Part part("eight_bits");
  Index bytes = 0;
  in_int8(model, bytes);
  std::printf("bytes in 32 bits  %d\nbytes in 8 bits    %d\n", int(4 * count(parameters(model))),
              int(bytes));
  std::vector<Columns> rows;
  add_int8(rows, course, model);
  print_int8_table(rows);
}
// [eight_bits]
