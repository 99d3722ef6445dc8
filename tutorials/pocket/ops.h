//! [04 strided]
// The ops that models are made of, each with its gradient.
#pragma once

#include "graph.h"
#include "matmul.h"

namespace pocket {

/// y has this shape. Reads y[i] = x[first + at(i)], where the strides lead from i to at(i). With
/// `into`, adds to zeros: y[first + at(i)] += x[i]. Each direction is the other's gradient.
inline Tensor strided(const char* op, const Tensor& x, const Shape& shape, const Strides& strides,
                      Index first, bool into) {
  Tensor y(shape);
  //! [04.2]
  const Scalar* from = x.data() + (into ? 0 : first);
  Scalar* to = y.mutable_data() + (into ? first : 0);
  for_each_element(into ? x.shape() : shape, strides, strides,
                   [=](Index i, Index at, Index) { into ? to[at] += from[i] : to[i] = from[at]; });
  return record(op, y, {x}, [=, before = x.shape()](const Tensor& dy) -> Gradients {
    return {strided(op, dy, before, strides, first, !into)};
  });
  //! [04.2]
}
//! [04 strided]

//! [04 sum_to]

/// x summed down to a shape that broadcasts to its own: undoes a broadcast.
inline Tensor sum_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return strided("sum_to", x, shape, broadcast_strides(shape, x.shape()), 0, true);
}
//! [04 sum_to]

//! [04 arithmetic]
inline Tensor operator+(const Tensor& a, const Tensor& b) {
  const Tensor y = elementwise("add", a, b, std::plus<Scalar>());
  return record("add", y, {a, b}, [a = a.shape(), b = b.shape()](const Tensor& dy) -> Gradients {
    return {sum_to(dy, a), sum_to(dy, b)};
  });
}
inline Tensor operator*(const Tensor& a, const Tensor& b) {
  const Tensor y = elementwise("mul", a, b, std::multiplies<Scalar>());
  return record("mul", y, {a, b}, [=](const Tensor& dy) -> Gradients {
    return {sum_to(dy * b, a.shape()), sum_to(dy * a, b.shape())};
  });
}
//! [04 arithmetic]

//! [04 map]
/// y = f(x), element by element; slope(x, y) is f'(x).
template <class F, class Slope>
Tensor map(const char* op, const Tensor& x, F f, Slope slope) {
  Tensor y(x.shape());
  std::transform(x.begin(), x.end(), y.mutable_data(), f);
  return record(op, y, {x}, [=](const Tensor& dy) -> Gradients {
    Tensor slopes(x.shape());
    std::transform(x.begin(), x.end(), y.begin(), slopes.mutable_data(), slope);
    return {slopes * dy};
  });
}

inline Tensor operator+(const Tensor& x, Scalar s) { return x + scalar(s); }
inline Tensor operator*(const Tensor& x, Scalar s) {
  return map(
      "mul", x, [s](Scalar v) { return v * s; }, [s](Scalar, Scalar) { return s; });
}
inline Tensor tanh(const Tensor& x) {
  return map(
      "tanh", x, [](Scalar v) { return std::tanh(v); }, [](Scalar, Scalar y) { return 1 - y * y; });
}
//! [04 map]

//! [04 rest]
inline Tensor operator-(const Tensor& x) { return x * Scalar(-1); }
inline Tensor operator-(const Tensor& a, const Tensor& b) { return a + -b; }
inline Tensor operator-(const Tensor& x, Scalar s) { return x + -s; }
inline Tensor operator/(const Tensor& x, Scalar s) { return x * (1 / s); }
//! [04 rest]

//! [04 reshape]
/// The same elements in another shape. With one size of -1, -shape.size() is the others' product.
inline Tensor reshape(const Tensor& x, Shape shape) {
  for (Index& n : shape) n = n == -1 ? x.size() / std::max(-shape.size(), Index{1}) : n;
  return record("reshape", Tensor(x, shape), {x},
                [from = x.shape()](const Tensor& dy) -> Gradients { return {reshape(dy, from)}; });
}

//! [04 reshape]

//! [04 matmul]
/// y = a b over the last two axes. If b is a matrix, all rows of a make one long matrix.
inline Tensor matmul(const Tensor& a, const Tensor& b, Transposed transposed = {}) {
  if (a.rank() > 2 && b.rank() == 2 && !transposed.a) {
    const Tensor y = matmul(reshape(a, {-1, a.size(-1)}), b, transposed);
    return reshape(y, a.shape().with(-1, y.size(-1)));
  }
  return record("matmul", product(a, b, transposed), {a, b}, [=](const Tensor& dy) -> Gradients {
    //! [04.3]
    const auto [ta, tb] = transposed;
    return {ta ? product(b, dy, {tb, true}) : product(dy, b, {false, !tb}),
            tb ? product(dy, a, {true, ta}) : product(a, dy, {!ta, false})};
    //! [04.3]
  });
}
//! [04 matmul]

//! [04 sum]
inline Tensor sum(const Tensor& x) { return sum_to(x, {}); }
inline Tensor mean(const Tensor& x) { return sum(x) / static_cast<Scalar>(x.size()); }
//! [04 sum]

//! [07 sum]
struct ReduceOptions {
  bool keepdim = false;  // the axis stays, with size 1
};

inline Tensor sum(const Tensor& x, int axis, ReduceOptions options = {}) {
  const Tensor y = sum_to(x, x.shape().with(axis, 1));
  Shape shape = x.shape();
  shape.erase(shape.begin() + shape.axis_of(axis));
  return options.keepdim ? y : reshape(y, shape);
}
inline Tensor mean(const Tensor& x, int axis, ReduceOptions options = {}) {
  return sum(x, axis, options) / static_cast<Scalar>(x.size(axis));
}
//! [07 sum]

//! [06 operators]
inline Tensor operator+(Scalar s, const Tensor& x) { return x + s; }
inline Tensor operator-(Scalar s, const Tensor& x) { return -x + s; }
inline Tensor operator*(Scalar s, const Tensor& x) { return x * s; }
//! [06 operators]

//! [06 relu]
inline Tensor relu(const Tensor& x) {
  return map(
      "relu", x, [](Scalar v) { return std::max(v, Scalar(0)); },
      [](Scalar v, Scalar) { return Scalar(v > 0 ? 1 : 0); });
}
//! [06 relu]

//! [07 functions]
inline Tensor exp(const Tensor& x) {
  const auto f = [](Scalar v) { return std::exp(v); };
  return map("exp", x, f, [](Scalar, Scalar y) { return y; });
}
inline Tensor log(const Tensor& x) {
  const auto f = [](Scalar v) { return std::log(v); };
  return map("log", x, f, [](Scalar v, Scalar) { return 1 / v; });
}
inline Tensor pow(const Tensor& x, Scalar n) {
  const auto f = [n](Scalar v) { return std::pow(v, n); };
  return map("pow", x, f, [n](Scalar v, Scalar) { return n ? n * std::pow(v, n - 1) : 0; });
}
inline Tensor operator/(const Tensor& a, const Tensor& b) { return a * pow(b, -1); }
//! [07 functions]

//! [07 softmax]
/// ln softmax(x) along the last axis.
inline Tensor log_softmax(const Tensor& x) {
  const Index n = x.size(-1);
  Tensor y(x.shape());
  for (Index row = 0; row < x.size(); row += n) {
    //! [07.2]
    const Scalar* from = x.data() + row;
    // The largest is subtracted first, so that no exponential is above 1. A row of only -inf stays.
    const Scalar largest = std::max(*std::max_element(from, from + n), Scalar(-1e30));
    Scalar total = 0;
    for (Index i = 0; i < n; ++i) total += std::exp(from[i] - largest);
    const Scalar log_total = std::log(std::max(total, Scalar(1)));
    for (Index i = 0; i < n; ++i) y.mutable_data()[row + i] = from[i] - largest - log_total;
    //! [07.2]
  }
  return record("log_softmax", y, {x}, [y = y.detach()](const Tensor& dy) -> Gradients {
    return {dy - exp(y) * sum(dy, -1, {.keepdim = true})};
  });
}

/// e^x over the sum of its row. A row of nothing but -inf gives zeros.
inline Tensor softmax(const Tensor& x) { return exp(log_softmax(x)); }
//! [07 softmax]

//! [07 cross_entropy]
struct CrossEntropyOptions {
  std::int32_t ignore_index = -100;  // positions with this target do not count
};

/// The mean of -ln softmax(logits)[target]: logits [..., V], targets [...].
inline Tensor cross_entropy(const Tensor& logits, const IndexTensor& targets,
                            const CrossEntropyOptions& options = {}) {
  const Index n = logits.size(-1);
  check(targets.size() * n == logits.size(), "cross_entropy: logits ", logits.shape(),
        " need a target for each row, got ", targets.shape());
  Tensor chosen(logits.shape());  // 1 at each target, 0 elsewhere
  Scalar count = 0;
  for (Index i = 0; i < targets.size(); ++i) {
    const Index target = targets.data()[i];
    if (target == options.ignore_index) continue;
    check(0 <= target && target < n, "cross_entropy: target ", target, " is not in [0, ", n, ")");
    chosen.mutable_data()[i * n + target] = 1;
    ++count;
  }
  return sum(chosen * log_softmax(logits)) * (-1 / std::max(count, Scalar(1)));
}
//! [07 cross_entropy]

//! [07 argmax]
/// The index of the largest element along the last axis.
inline IndexTensor argmax(const Tensor& x, int axis) {
  check(x.shape().axis_of(axis) == x.rank() - 1, "argmax: is for the last axis");
  std::vector<std::int32_t> best;
  for (const Scalar* row = x.begin(); row < x.end(); row += x.size(-1)) {
    best.push_back(static_cast<std::int32_t>(std::max_element(row, row + x.size(-1)) - row));
  }
  return IndexTensor(Shape(x.shape().begin(), x.shape().end() - 1), best);
}
//! [07 argmax]

//! [07 embedding]
/// Looks up a row of the table for each token: tokens [...], table [V, C], y [..., C].
inline Tensor embedding(const IndexTensor& tokens, const Tensor& table) {
  const Index rows = table.size(0), width = table.size(1);
  Shape shape = tokens.shape();
  shape.push_back(width);
  Tensor y(shape);
  for (Index i = 0; i < tokens.size(); ++i) {
    const Index token = tokens.data()[i];
    check(0 <= token && token < rows, "embedding: token ", token, " is not in [0, ", rows, ")");
    std::copy_n(table.data() + token * width, width, y.mutable_data() + i * width);
  }
  return record("embedding", y, {table}, [=](const Tensor& dy) -> Gradients {
    Tensor dtable({rows, width});
    //! [07.3]
    for (Index i = 0; i < dy.size(); ++i) {  // a token that occurs twice learns from both
      dtable.mutable_data()[tokens.data()[i / width] * width + i % width] += dy.data()[i];
    }
    //! [07.3]
    return {dtable};
  });
}
//! [07 embedding]

//! [08 slice]
/// The elements [begin, end) along one axis. Negative positions count from the end.
inline Tensor slice(const Tensor& x, int axis, Index begin, Index end = INT64_MAX) {
  const Index n = x.size(axis);
  begin = begin < 0 ? begin + n : begin;
  end = end == INT64_MAX ? n : end < 0 ? end + n : end;
  check(0 <= begin && begin <= end && end <= n, "slice: [", begin, ", ", end,
        ") is not within axis ", axis, " of ", x.shape());
  const Strides strides = strides_of(x.shape());
  const Index first = begin * strides[x.shape().axis_of(axis)];
  return strided("slice", x, x.shape().with(axis, end - begin), strides, first, false);
}

/// Cuts x into `count` equal parts along an axis.
inline std::vector<Tensor> split(const Tensor& x, Index count, int axis) {
  const Index n = x.size(axis) / count;
  check(n * count == x.size(axis), "split: ", x.shape(), " does not divide into ", count);
  std::vector<Tensor> parts;
  for (Index i = 0; i < count; ++i) parts.push_back(slice(x, axis, i * n, (i + 1) * n));
  return parts;
}

/// Joins tensors along an axis.
inline Tensor concat(const std::vector<Tensor>& tensors, int axis) {
  Index total = 0;
  for (const Tensor& x : tensors) total += x.size(axis);
  Tensor y(tensors.at(0).shape().with(axis, total));
  const Strides strides = strides_of(y.shape());
  Scalar* to = y.mutable_data();
  for (const Tensor& x : tensors) {
    check(x.shape().with(axis, total) == y.shape(), "concat: ", x.shape(), " does not fit ",
          y.shape(), " but for axis ", axis);
    for_each_element(x.shape(), strides, strides,
                     [to, x = x.data()](Index i, Index at, Index) { to[at] = x[i]; });
    to += x.size(axis) * strides[y.shape().axis_of(axis)];
  }
  return record("concat", y, tensors, [=](const Tensor& dy) -> Gradients {
    Gradients gradients;
    Index end = 0;
    for (const Tensor& x : tensors) {
      end += x.size(axis);
      gradients.push_back(slice(dy, axis, end - x.size(axis), end));
    }
    return gradients;
  });
}
//! [08 slice]

//! [08 functions]
inline Tensor sigmoid(const Tensor& x) { return (tanh(x / 2) + 1) / 2; }  // 1 / (1 + e^-x)
inline Tensor sqrt(const Tensor& x) { return pow(x, Scalar(0.5)); }
//! [08 functions]

//! [09 causal_mask]
/// 1 where a query may attend to a key: up to its own position. Both end at one position.
inline IndexTensor causal_mask(Index queries, Index keys) {
  std::vector<std::int32_t> mask;
  //! [09.2]
  for (Index i = 0; i < queries * keys; ++i) mask.push_back(i % keys <= i / keys + keys - queries);
  //! [09.2]
  return IndexTensor({queries, keys}, mask);
}
//! [09 causal_mask]

//! [10 permute]
/// Reorders the axes: axis i of y is axis axes[i] of x.
inline Tensor permute(const Tensor& x, const std::vector<int>& axes) {
  check(std::ssize(axes) == x.rank(), "permute: ", x.shape(), " needs all its axes named");
  Shape shape;
  Strides strides;
  for (const int axis : axes) {
    shape.push_back(x.size(axis));
    strides.push_back(strides_of(x.shape())[axis]);
  }
  return strided("permute", x, shape, strides, 0, false);
}
//! [10 permute]

//! [14 gelu]
/// x / (1 + exp(-c (x + d x^3))), c = 2 sqrt(2 / pi), d = 0.044715: x times about the probability
/// that a normal number is below x, in the form that GPT-2 uses.
inline Tensor gelu(const Tensor& x) {
  //! [14.1]
  const Scalar c = Scalar(2 * 0.7978845608028654), d = Scalar(0.044715);
  const auto gate = [=](Scalar v) { return 1 / (1 + std::exp(-c * (v + d * v * v * v))); };
  return map(
      "gelu", x, [=](Scalar v) { return v * gate(v); },
      [=](Scalar v, Scalar y) { return gate(v) + y * (1 - gate(v)) * c * (1 + 3 * d * v * v); });
  //! [14.1]
}
//! [14 gelu]

//! [14 layer_norm]
/// Each row of the last axis with mean 0 and variance 1, then times weight [C], plus bias [C].
inline Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                         Scalar epsilon = Scalar(1e-5)) {
  //! [14.2]
  const Tensor centred = x - mean(x, -1, {.keepdim = true});
  const Tensor variance = mean(centred * centred, -1, {.keepdim = true});
  return centred * pow(variance + epsilon, Scalar(-0.5)) * weight + bias;
  //! [14.2]
}
//! [14 layer_norm]

//! [25 rms_norm]
/// x / sqrt(mean(x^2) + epsilon) along the last axis, times weight [C]. No mean is subtracted.
inline Tensor rms_norm(const Tensor& x, const Tensor& weight, Scalar epsilon = Scalar(1e-6)) {
  //! [25.1]
  const Tensor square = mean(x * x, -1, {.keepdim = true});
  return x * pow(square + epsilon, Scalar(-0.5)) * weight;
  //! [25.1]
}
//! [25 rms_norm]

//! [25 silu]
inline Tensor silu(const Tensor& x) { return x * sigmoid(x); }
//! [25 silu]

//! [04 end]
}  // namespace pocket
//! [04 end]
