#include "pocket/ops.h"
#include "tutorials/common/guards.h"

using pocket::Index, pocket::Scalar, pocket::Shape, pocket::Tensor, pocket::Transposed;

namespace {

Tensor numbers(const Shape& shape, Scalar scale, Index seed) {
  Tensor x(shape);
  for (Index i = 0; i < x.size(); ++i) {
    x.mutable_data()[i] = scale * static_cast<Scalar>((i * 7 + seed * 3) % 11 - 5);
  }
  return x;
}

/// Where element (row, column) of matrix `one` is; transposed ones are read by columns.
Index at(const Tensor& x, Index one, Index row, Index column, bool transposed) {
  const Index rows = x.size(-2), columns = x.size(-1);
  return one * rows * columns + (transposed ? column * columns + row : row * columns + column);
}

/// The gradients by the definition: y[m, n] = sum over k of a[m, k] b[k, n], one term at a time.
std::pair<Tensor, Tensor> by_terms(const Tensor& a, const Tensor& b, const Tensor& dy,
                                   Transposed t) {
  Tensor da(a.shape()), db(b.shape());
  const Index m = dy.size(-2), n = dy.size(-1), k = a.size(t.a ? -2 : -1);
  for (Index one = 0; one * m * n < dy.size(); ++one) {
    for (Index i = 0; i < m * n * k; ++i) {
      const Index row = i / (n * k), column = i / k % n, inner = i % k;
      const Index of_a = at(a, one, row, inner, t.a), of_b = at(b, one, inner, column, t.b);
      const Scalar g = dy.data()[at(dy, one, row, column, false)];
      da.mutable_data()[of_a] += g * b.data()[of_b];
      db.mutable_data()[of_b] += g * a.data()[of_a];
    }
  }
  return {da, db};
}

void same(const std::string& what, const Tensor& got, const Tensor& right) {
  if (!got.defined()) gradus::red(what + ": no gradient arrived");
  const double most = gradus::scale_of(right);
  const gradus::Tensor mine = gradus::as_library(got), ours = gradus::as_library(right);
  if (gradus::is_close(mine, ours, 1e-5 * most)) return;
  gradus::expect(what, mine, ours, "", 1e-5 * most);
}

void try_out(Index m, Index k, Index n, const Shape& batch, Transposed t, Scalar scale) {
  const auto shape = [&](Index rows, Index columns, bool transposed) {
    Shape made = batch;
    made.push_back(transposed ? columns : rows), made.push_back(transposed ? rows : columns);
    return made;
  };
  Tensor a = numbers(shape(m, k, t.a), scale, 1), b = numbers(shape(k, n, t.b), scale, 2);
  a.set_requires_grad(), b.set_requires_grad();
  const Tensor dy = numbers(shape(m, n, false), 1, 4);
  std::ostringstream name;
  name << "a " << a.shape() << (t.a ? "^T" : "") << ", b " << b.shape() << (t.b ? "^T" : "")
       << (scale > 1 ? ", large" : "");
  const Tensor y = matmul(a, b, t);
  gradus::unchanged<Tensor>(name.str(), {a, b, dy}, [&] {
    try {
      backward(y, dy);
    } catch (const std::invalid_argument& error) {
      gradus::red(name.str() + ": " + error.what() + "\nlikely cause: " +
                  (!t.a && !t.b
                       ? "the order of the factors, or a flag of product()"
                       : std::string("a flag: ") +
                             (t.a && t.b ? "with one of a and b" : "with neither of a and b") +
                             " transposed your lines are right"));
    }
    return 0;
  });
  const auto [da, db] = by_terms(a, b, dy, t);
  same(name.str() + ": da", a.grad(), da);
  same(name.str() + ": db", b.grad(), db);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    for (const Scalar scale : {Scalar(1), Scalar(1e4)}) {
      for (const Transposed t :
           {Transposed{}, Transposed{.b = true}, Transposed{.a = true}, Transposed{true, true}}) {
        try_out(2, 3, 5, {}, t, scale);
        try_out(4, 4, 4, {}, t, scale);  // squares: a wrong order fits here
        try_out(6, 19, 11, {}, t, scale);
        try_out(3, 2, 7, {2}, t, scale);
        try_out(2, 5, 3, {2, 3}, t, scale);
        gradus::green(std::string(t.a ? "a transposed" : "a as it is") +
                      (t.b ? ", b transposed" : ", b as it is") +
                      (scale > 1 ? ": large numbers" : ": five sets of sizes"));
      }
    }
    // A matrix for all matrices of a batch.
    Tensor a = numbers({2, 3, 5}, 1, 1), b = numbers({5, 7}, 1, 2);
    a.set_requires_grad(), b.set_requires_grad();
    const Tensor dy = numbers({2, 3, 7}, 1, 4);
    backward(matmul(a, b), dy);
    const auto [da, db] = by_terms(Tensor(a, {6, 5}), b, Tensor(dy, {6, 7}), {});
    same("one b for a batch: da", a.grad(), Tensor(da, {2, 3, 5}));
    same("one b for a batch: db", b.grad(), db);
    gradus::green("one b for a batch");
  });
}
