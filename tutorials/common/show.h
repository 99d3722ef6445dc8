/// @file
/// What the programs of chapters print again and again: tables, shapes, texts, and that two
/// things are equal.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "autograd/index_tensor.h"
#include "autograd/more/selection.h"
#include "autograd/ops/index.h"
#include "autograd/tensor.h"

namespace gradus {

/// Says that two tensors have one shape and the same numbers, or ends the program.
inline void must_equal(const char* what, const Tensor& a, const Tensor& b,
                       double tolerance = 1e-5) {
  bool same = a.shape() == b.shape();
  for (Index i = 0; same && i < a.size(); ++i) {
    same = std::abs(a.data()[i] - b.data()[i]) <= tolerance;
  }
  std::printf("%s: %s\n", what, same ? "equal" : "NOT EQUAL");
  if (!same) std::exit(1);
}

/// A shape as it prints: "[2, 3]".
inline std::string words(const Shape& shape) {
  std::ostringstream out;
  out << shape;
  return out.str();
}

/// The share of rows of logits [..., V] whose largest number is the target's, among those that have
/// a target (0 or above).
inline double accuracy(const Tensor& logits, const IndexTensor& targets) {
  const IndexTensor best = argmax(logits, -1);
  double right = 0, asked = 0;
  for (Index i = 0; i < targets.size(); ++i) {
    if (targets.data()[i] < 0) continue;
    right += best.data()[i] == targets.data()[i];
    asked += 1;
  }
  return right / asked;
}

/// A matrix with the name of each row before it.
inline void print_table(const Tensor& x, const std::vector<std::string>& rows, int digits = 2) {
  for (Index i = 0; i < x.size(0); ++i) {
    std::printf("%-6s", rows[static_cast<std::size_t>(i)].c_str());
    for (Index j = 0; j < x.size(1); ++j) {
      std::printf(" %*.*f", digits + 4, digits, double{x.data()[i * x.size(1) + j]});
    }
    std::printf("\n");
  }
}

/// The text in lines of at most 72 characters, cut at spaces.
inline std::string wrapped(std::string text) {
  std::size_t line = 0, space = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      line = i + 1;
    } else if (text[i] == ' ') {
      space = i;
    }
    if (i - line >= 72 && space > line) {
      text[space] = '\n';
      line = space + 1;
    }
  }
  return text;
}

}  // namespace gradus
