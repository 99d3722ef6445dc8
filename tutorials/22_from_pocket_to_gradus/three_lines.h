/// @file
/// pocket with one of three lines changed, and with counters, for exercise 22.3. It replaces new
/// and delete, unless CHAPTER_22_HAS_MEMORY says that another source does.
#pragma once

#include <cstdlib>
#include <new>
#include <utility>

// Two functions of pocket get other names, so that their lines can be counted or changed here.
#define elementwise plain_elementwise
#include "tutorials/pocket/tensor.h"
#undef elementwise
#define record plain_record

inline char changed = '-';  // which line is
// Of memory taken; and numbers, in millions: found by strides, and added to a row's sum in memory.
inline double pieces, megabytes, visits, in_memory;

#ifndef CHAPTER_22_HAS_MEMORY
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  pieces += 1, megabytes += double(bytes) / 1e6;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
[[gnu::noinline]] void operator delete(void* place) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept { std::free(place); }
#endif

namespace pocket {

template <class F>
Tensor elementwise(const char* op, const Tensor& a, const Tensor& b, F f) {
  const Tensor y = plain_elementwise(op, a, b, f);
  visits += double(y.size()) / 1e6;
  return y;
}

}  // namespace pocket

#include "tutorials/pocket/graph.h"
#undef record

namespace pocket {

// B
inline Tensor record(const char* op, const Tensor& y, const std::vector<Tensor>& inputs,
                     std::function<Gradients(const Tensor& dy)> closure) {
  std::vector<std::shared_ptr<Node>> nodes;
  for (const Tensor& x : inputs) nodes.push_back(x.node());
  if (!recording || std::count(nodes.begin(), nodes.end(), nullptr) == std::ssize(nodes)) return y;
  Node* node = new Node{op, y.shape(), nodes};
  node->closure = changed == 'B' ? std::move(closure) : closure;
  return Tensor(y, y.shape(), std::shared_ptr<Node>(node));
}

// A. pocket's sums call strided() with a plain 0, an int, so they take this one.
Tensor strided(const char* op, const Tensor& x, const Shape& shape, const Strides& strides,
               Index first, bool into);
inline Tensor strided(const char* op, const Tensor& x, const Shape& shape, const Strides& strides,
                      int first, bool into) {
  const bool along_rows = x.rank() > 0 && strides.back() == 0;
  if (along_rows && changed != 'A') in_memory += double(x.size()) / 1e6;
  if (!along_rows || changed != 'A') return strided(op, x, shape, strides, Index(first), into);
  Tensor y(shape);
  const Index n = x.size(-1);
  const Scalar* from = x.data();
  Scalar* to = y.mutable_data();
  for_each_element(Shape(x.shape().begin(), x.shape().end() - 1), strides, strides,
                   [=](Index i, Index at, Index) {
                     to[at] += std::accumulate(from + i * n, from + (i + 1) * n, Scalar(0));
                   });
  return record(op, y, {x}, [=, before = x.shape()](const Tensor& dy) -> Gradients {
    return {strided(op, dy, before, strides, Index(first), !into)};
  });
}

// C. In a backward pass, map()'s `slopes` is the only factor on the left that is not const.
Tensor operator*(const Tensor& a, const Tensor& b);
inline Tensor operator*(Tensor& slopes, const Tensor& dy) {
  if (changed != 'C' || recording) return std::as_const(slopes) * dy;
  std::transform(slopes.begin(), slopes.end(), dy.begin(), slopes.mutable_data(),
                 std::multiplies<>());
  return slopes;
}

}  // namespace pocket

#include "tutorials/pocket/gpt.h"
