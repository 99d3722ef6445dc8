/// @file
/// Counts the memory that an answer takes and keeps, and checks ops that an answer records as one
/// node. Only a check's own source includes it, once, because it replaces new and delete.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"
#include "tutorials/common/guards.h"

/// The memory that `new` has returned.
struct Heap {
  std::size_t pieces = 0, taken = 0;  ///< how many, and their bytes
  std::size_t in_use = 0, most = 0;   ///< bytes not given back: now, and the most
  std::size_t largest = 0;            ///< bytes of the largest piece
  bool buries = false;        ///< returned memory is filled with 0 and never given out again
  struct alignas(16) Piece {  ///< before each piece: how large it is
    std::size_t bytes;
  };
};
inline Heap heap;

inline bool is_same(const Tensor& a, const Tensor& b) {
  return std::equal(a.begin(), a.end(), b.begin());
}

/// backward(y, dy). A closure with a dangling reference makes the library report any size.
inline void pass_back(
    const std::string& what, const Tensor& y, const Tensor& dy,
    const std::string& cause =
        "the closure captures by [&], and those variables ended with the forward pass; capture "
        "copies, [=]. Or a gradient has not its input's shape") {
  try {
    backward(y, dy);
  } catch (const std::exception& error) {
    gradus::red(what + ": backward says: " + error.what() + "\nlikely cause: " + cause);
  }
}

using Tensors = std::vector<Tensor>;

/// An op that is to be recorded as one node: the answer's, pocket's, and a letter for each input.
struct Op {
  std::function<Tensor(const Tensors&)> mine, right;
  std::string names;
};

inline Tensor copy_of(const Tensor& x) { return tensor(x.shape(), {x.begin(), x.end()}); }

/// Leaves with the same numbers, in arrays of their own.
inline Tensors leaves_of(const Tensors& inputs) {
  Tensors leaves;
  for (const Tensor& x : inputs) leaves.push_back(copy_of(x).set_requires_grad());
  return leaves;
}

/// Ends the check unless both have the same numbers. The tolerance is relative to the largest
/// number expected.
inline void must_be_near(const std::string& what, const Tensor& got, const Tensor& right,
                         const std::string& cause = "", double tolerance = 5e-5) {
  const gradus::Tensor expected = gradus::as_library(right.detach());
  gradus::must_be_close(what, gradus::as_library(got), expected, cause,
                        tolerance * gradus::scale_of(expected));
}

/// Ends the check if the answer has changed whether ops are recorded; they `were` before it ran, or
/// not.
inline void must_record_as_before(const std::string& what, bool were) {
  if (pocket::recording == were) return;
  gradus::red(what +
              (were ? ": nothing is recorded any more"
                    : ": ops are recorded again within a NoGrad of its caller") +
              "\nlikely cause: `recording` is set by hand; a NoGrad gives back what was before");
}

/// Compares the op's result and its gradients for dy, and counts its nodes. Values that other ops
/// read must stay unchanged.
inline void must_hold(const std::string& what, const Op& op, const Tensors& inputs,
                      const Tensor& dy, double tolerance = 5e-5) {
  const Tensors x = leaves_of(inputs), right = leaves_of(inputs);
  const Tensor expected = op.right(right), arrives = copy_of(dy);
  backward(expected, dy);
  const Index before = nodes_made;
  const Tensor y = gradus::unchanged<Tensor>(what, x, [&] { return op.mine(x); });
  const Index nodes = nodes_made - before;
  must_record_as_before(what, true);
  must_be_near(what, y, expected, "", tolerance);
  if (!y.requires_grad()) gradus::red(what + ": the result has no node\nlikely cause: no record()");
  if (nodes != 1) {
    gradus::red(what + ": " + std::to_string(nodes) + " nodes were recorded, expected 1" +
                "\nlikely cause: forward without NoGrad, or by recorded ops");
  }
  const Tensor kept = copy_of(y);
  pass_back(what, y, arrives);
  const auto must_stay = [&](const std::string& name, const Tensor& now, const Tensor& then) {
    if (is_same(now, then)) return;
    gradus::red(what + ": backward has changed " + name +
                ", which other ops read, too\nlikely cause: a copy of a tensor and its detach() "
                "share its numbers; write into a new one");
  };
  must_stay("dy", arrives, dy), must_stay("y", y, kept);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::string name(1, op.names[i]);
    must_stay(name, x[i], inputs[i]);
    gradus::gradient_must_be_close(what + ": the gradient of " + name, x[i],
                                   gradus::gradient_of(right[i]),
                                   tolerance * gradus::scale_of(right[i].grad()));
  }
}

/// Calls the op twice in one graph, with one shape or two. The second call must not disturb the
/// first.
inline void must_stay_apart(const Op& op, const Tensors& inputs, const Tensors& others) {
  const Tensors x = leaves_of(inputs), right = leaves_of(inputs), other = leaves_of(others);
  const Tensor expected = op.right(right), dy = normal(expected.shape(), {.seed = 4});
  backward(expected, dy);
  const Tensor first = op.mine(x), second = op.mine(other);
  const std::string what = "two of them before the first backward";
  const std::string cause =
      "they share what is saved, static or global variables; the closure is to have its own";
  pass_back(what, first, dy, cause);
  Tensors arrived;
  for (std::size_t i = 0; i < x.size(); ++i) {
    must_be_near(what + ": the first's gradient", x[i].grad(), right[i].grad(), cause);
    arrived.push_back(copy_of(x[i].grad()));
  }
  pass_back("the second of two", second, normal(second.shape(), {.seed = 5}));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (is_same(arrived[i], x[i].grad())) continue;
    gradus::red(
        "the second backward has changed a gradient of the first\nlikely cause: it is the array of "
        "an earlier gradient, a static or a global tensor; make a new one in each pass");
  }
  gradus::green("two of them in one graph");
}

/// Calls the op in the middle of a graph, and frees before backward all that nothing keeps. The
/// inputs are made inside, as in a layer, in memory that reads as 0 afterwards.
inline void must_outlive_inputs(const Op& op, const Tensors& inputs) {
  const std::string what = "a layer that makes the inputs and returns the result plus 1";
  const Tensors x = leaves_of(inputs), right = leaves_of(inputs);
  bool records = false;
  const auto layer = [&](const Tensors& from, const auto& f) {
    Tensors made;
    for (const Tensor& each : from) {
      const auto pass_on = [&records](const Tensor& g) -> Gradients {
        records = records || pocket::recording;
        return {g * Scalar(2)};
      };
      made.push_back(record("layer", each.detach() * Scalar(2), {each}, pass_on));
    }
    return f(made) + ones({1});
  };
  const Tensor expected = layer(right, op.right), dy = normal(expected.shape(), {.seed = 4});
  backward(expected, dy);
  heap.buries = true;
  const Tensor y = layer(x, op.mine);
  pass_back(what, y, dy);
  heap.buries = false;
  if (records) {
    gradus::red(
        "ops are recorded again within a NoGrad of its caller, that of backward()\nlikely cause: "
        "`recording` is set by hand; a NoGrad gives back what was before");
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!x[i].grad().defined()) {
      gradus::red(
          what + ": no gradient arrived before " + op.names[i] +
          "\nlikely cause: in the middle of a graph, an input is no leaf; the closure returns "
          "gradients, and backward() hands them on and adds them where they belong");
    }
    must_be_near(what + ": the gradient of " + op.names[i], x[i].grad(), right[i].grad(),
                 "the closure keeps a pointer, and the array is gone: capture tensors");
  }
  gradus::green(what);
}

/// Calls the op where nothing is to be recorded: the result must be the same, without a node.
inline void must_obey_no_grad(const Op& op, const Tensors& inputs) {
  const auto must_record_nothing = [&](const std::string& when, const Tensors& x) {
    const Tensor right = op.right(x);
    const bool were = pocket::recording;
    const Index nodes = nodes_made;
    const Tensor y =
        gradus::unchanged<Tensor>(when + ", so nothing is recorded", x, [&] { return op.mine(x); });
    must_record_as_before(when, were);
    if (nodes_made != nodes || y.requires_grad()) {
      gradus::red(when +
                  ": a node is recorded\nlikely cause: it is made by hand; record() asks whether "
                  "one is wanted");
    }
    must_be_near(when, y, right);
  };
  must_record_nothing("no input needs a gradient", inputs);
  const NoGrad no_grad;
  must_record_nothing("under NoGrad", leaves_of(inputs));
  gradus::green("nothing is recorded that is not asked for");
}

Scalar pocket::exp_row(const Scalar* from, Scalar largest, Scalar* to, Index n) {
  for (Index i = 0; i < n; ++i) to[i] = std::exp(from[i] - largest);
  return std::accumulate(to, to + n, Scalar(0));
}
Scalar pocket::row_dot(const Scalar* x, const Scalar* y, Index n) {
  return std::inner_product(x, x + n, y, Scalar(0));
}

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (bytes > std::size_t(1) << 40) throw std::bad_alloc();
  auto* piece = static_cast<Heap::Piece*>(std::malloc(bytes + sizeof(Heap::Piece)));
  if (piece == nullptr) throw std::bad_alloc();
  piece->bytes = bytes;
  heap.pieces += 1, heap.taken += bytes, heap.in_use += bytes;
  heap.most = std::max(heap.most, heap.in_use), heap.largest = std::max(heap.largest, bytes);
  return piece + 1;
}
[[gnu::noinline]] void operator delete(void* place) noexcept {
  if (place == nullptr) return;
  Heap::Piece* piece = static_cast<Heap::Piece*>(place) - 1;
  heap.in_use -= piece->bytes;
  if (heap.buries) {
    std::memset(place, 0, piece->bytes);
  } else {
    std::free(piece);
  }
}
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept {
  operator delete(place);
}
