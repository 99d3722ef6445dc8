/// @file
/// Computes a graph with the engine and with naive loops, and compares the two.

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "autograd/check.h"
#include "tests/trust/graphs.h"

namespace gradus::trust {

using detail::text;

namespace {

/// The numbers of a graph that are compared.
struct Results {
  Tensors values;     ///< of each node
  Tensors gradients;  ///< of each leaf
  double first = 0;   ///< the slope of the loss along u
  double second = 0;  ///< the slope along v of that slope
};

Tensor tensor_of(const Naive<double>& x, double Dual<double>::*part) {
  Tensor y(x.shape);
  for (Index i = 0; i < y.size(); ++i)
    y.mutable_data()[i] = static_cast<Scalar>(x.elements[i].*part);
  return y;
}

/// The weight of element i of a node in the loss.
double weight(std::size_t node, Index i) {
  return static_cast<double>((node * 31 + static_cast<std::size_t>(i) * 17) % 13) / 8 - 0.75;
}

double inner(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += static_cast<double>(a.data()[i]) * b.data()[i];
  return sum;
}

/// Computes a graph with the engine.
Results run(const Plan& plan, bool twice) {
  Results results;
  Tensors leaves, u, v;
  Tensors values;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    const Node& node = plan.nodes[i];
    if (node.op == nullptr) {
      values.push_back(tensor_of(plan.values[i], &Dual<double>::value).set_requires_grad());
      leaves.push_back(values.back());
      u.push_back(tensor_of(plan.values[i], &Dual<double>::slope_u));
      v.push_back(tensor_of(plan.values[i], &Dual<double>::slope_v));
      continue;
    }
    Tensors inputs;
    for (const int k : node.inputs) inputs.push_back(values[k]);
    values.push_back(node.op->engine(node, inputs));
  }
  Tensor loss = scalar(0);
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    if (plan.nodes[i].is_used) continue;
    Tensor w(values[i].shape());
    for (Index k = 0; k < w.size(); ++k) w.mutable_data()[k] = static_cast<Scalar>(weight(i, k));
    loss = loss + sum(values[i] * w);
  }
  for (const Tensor& y : values) results.values.push_back(y.detach());
  results.values.push_back(loss.detach());
  const Tensors slopes = grad({loss}, leaves, {.create_graph = twice});
  Tensor along_v = scalar(0);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    results.gradients.push_back(slopes[i].detach().clone());
    results.first += inner(slopes[i], u[i]);
    if (twice) along_v = along_v + sum(slopes[i] * v[i]);
  }
  if (twice && along_v.requires_grad()) {
    const Tensors seconds = grad({along_v}, leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) results.second += inner(seconds[i], u[i]);
  }
  return results;
}

/// Computes a graph with naive loops; the last value is the loss.
template <class Real>
std::vector<Naive<Real>> run_naive(const Plan& plan) {
  std::vector<Naive<Real>> values;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    const Node& node = plan.nodes[i];
    if (node.op == nullptr) {
      Naive<Real> x(plan.values[i].shape, true);
      for (std::size_t k = 0; k < x.elements.size(); ++k) {
        const Dual<double>& e = plan.values[i].elements[k];
        x.elements[k] = {static_cast<Real>(e.value), static_cast<Real>(e.slope_u),
                         static_cast<Real>(e.slope_v), 0};
      }
      values.push_back(std::move(x));
      continue;
    }
    std::vector<Naive<Real>> inputs;
    for (const int k : node.inputs) inputs.push_back(values[k]);
    if constexpr (std::is_same_v<Real, double>) {
      values.push_back(node.op->in_double(node, inputs));
    } else {
      values.push_back(node.op->in_float(node, inputs));
    }
  }
  Naive<Real> loss{Shape{}};
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    if (plan.nodes[i].is_used) continue;
    for (std::size_t k = 0; k < values[i].elements.size(); ++k) {
      loss.elements[0] =
          loss.elements[0] + times(values[i].elements[k], weight(i, static_cast<Index>(k)));
    }
  }
  values.push_back(loss);
  return values;
}

double largest(const Naive<double>& x, double Dual<double>::*part) {
  double most = 0;
  for (const auto& e : x.elements) most = std::max(most, std::abs(e.*part));
  return most;
}

}  // namespace

Verdict compare(const Plan& plan, std::string& report) {
  std::vector<Shape> shapes;
  for (const auto& value : plan.values) shapes.push_back(value.shape);
  const auto differs = [&](const std::string& what) {
    report += what + "\n";
    return Verdict::kDifferent;
  };
  is_undecided = false;
  const auto expected = run_naive<double>(plan);
  const auto rounded = kIsDouble ? std::vector<Naive<float>>() : run_naive<float>(plan);
  if (is_undecided || plan.nodes.empty()) return Verdict::kUndecided;

  Results got;
  try {
    got = run(plan, true);
  } catch (const std::exception& error) {
    return differs(text("the engine refuses: ", error.what()));
  }
  // The error that rounding explains: in float, twenty times the error of plain loops.
  const auto bound = [&](double size, double rounding) {
    return kIsDouble ? 1e-9 * size : 20 * rounding + 2e-5 * size;
  };
  double size_first = 1, size_second = 1, error_first = 0, error_second = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& e = expected[i];
    const Tensor& y = got.values[i];
    if (y.shape() != e.shape) {
      return differs(text("node ", i, " has shape ", y.shape(), ", expected ", e.shape));
    }
    double error = 0;
    for (std::size_t k = 0; k < (kIsDouble ? 0 : e.elements.size()); ++k) {
      const auto& a = e.elements[k];
      const auto& b = rounded[i].elements[k];
      error = std::max(error, std::abs(a.value - b.value));
      error_first = std::max(error_first, std::abs(a.slope_u - b.slope_u));
      error_second = std::max(error_second, std::abs(a.slope_uv - b.slope_uv));
    }
    const double size = std::max(1.0, largest(e, &Dual<double>::value));
    size_first = std::max({size_first, largest(e, &Dual<double>::slope_u)});
    size_second =
        std::max({size_second, largest(e, &Dual<double>::slope_uv),
                  largest(e, &Dual<double>::slope_u) * largest(e, &Dual<double>::slope_v)});
    for (std::size_t k = 0; k < e.elements.size(); ++k) {
      const double found = y.data()[k], wanted = e.elements[k].value;
      if (!(std::abs(found - wanted) <= bound(size, error))) {
        return differs(text("node ", i, ", element ", k, ": got ", found, ", expected ", wanted,
                            ", allowed difference ", bound(size, error)));
      }
    }
  }
  const auto& loss = expected.back().elements[0];
  for (std::size_t i = 0, leaf = 0; i < plan.nodes.size(); ++i) {
    if (plan.nodes[i].op != nullptr) continue;
    double most = 0;
    for (const Scalar g : got.gradients[leaf++].values())
      most = std::max<double>(most, std::abs(g));
    size_first =
        std::max(size_first, most * static_cast<double>(std::max<Index>(1, shapes[i].size())));
  }
  size_second = std::max(size_second, size_first);
  if (!(std::abs(got.first - loss.slope_u) <= bound(size_first, error_first))) {
    return differs(text("slope of the loss: got ", got.first, ", expected ", loss.slope_u,
                        ", allowed difference ", bound(size_first, error_first)));
  }
  if (!(std::abs(got.second - loss.slope_uv) <= 10 * bound(size_second, error_second))) {
    return differs(text("second slope of the loss: got ", got.second, ", expected ", loss.slope_uv,
                        ", allowed difference ", 10 * bound(size_second, error_second)));
  }
  // The composed path, and the fused path once more without a graph of the pass.
  const Results again = run(plan, false);
  Results composed;
  {
    const ComposedOps in_words;
    composed = run(plan, false);
  }
  const Results repeated = run(plan, false);
  for (std::size_t i = 0; i < again.gradients.size(); ++i) {
    if (again.gradients[i].values() != repeated.gradients[i].values()) {
      return differs(text("gradient of leaf ", i, " has other bits in a second run"));
    }
    for (const auto* other : {&composed, &got}) {
      const Tensor &a = again.gradients[i], &b = other->gradients[i];
      double most = 1;
      for (const Scalar g : a.values()) most = std::max<double>(most, std::abs(g));
      const double allowed = bound(std::max(most, size_first), error_first);
      for (Index k = 0; k < a.size(); ++k) {
        if (!(std::abs(double{a.data()[k]} - double{b.data()[k]}) <= allowed)) {
          return differs(text("gradient of leaf ", i, ", element ", k, ": ", a.data()[k],
                              other == &composed ? " fused, " : " without create_graph, ",
                              b.data()[k], other == &composed ? " composed" : " with it",
                              ", allowed difference ", allowed));
        }
      }
    }
  }
  return Verdict::kSame;
}

}  // namespace gradus::trust
