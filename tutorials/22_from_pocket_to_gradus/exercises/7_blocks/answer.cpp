#include "tutorials/22_from_pocket_to_gradus/exercises.h"

/// The weights of the queries [begin, end): [H, end - begin, end], as no key after `end` counts.
Tensor weights_of(const Tensor& q, const Tensor& k, Index begin, Index end) {
  return attention_weights(slice(q, -2, begin, end), slice(k, -2, 0, end), {.causal = true});
}

/// sum[:, :rows, :] += x
void add_rows(Tensor& sum, const Tensor& x) {
  const Index whole = sum.size(-2) * sum.size(-1), part = x.size(-2) * x.size(-1);
  for (Index head = 0; head < x.size(0); ++head) {
    const Scalar* from = x.data() + head * part;
    Scalar* to = sum.mutable_data() + head * whole;
    std::transform(from, from + part, to, to, std::plus<>());
  }
}

Tensor attention_by_blocks(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Index t = q.size(-2), rows = 64;
  std::vector<Tensor> y;
  {
    const NoGrad no_grad;
    for (Index i = 0; i < t; i += rows) {
      const Index end = std::min(i + rows, t);
      y.push_back(matmul(weights_of(q, k, i, end), slice(v, -2, 0, end)));
    }
    y = {concat(y, -2)};
  }
  return record("attention", y[0], {q, k, v}, [=](const Tensor& dy) -> Gradients {
    std::vector<Tensor> dq;
    Tensor dk(k.shape()), dv(v.shape());
    for (Index i = 0; i < t; i += rows) {
      const Index end = std::min(i + rows, t);
      const Tensor p = weights_of(q, k, i, end), dout = slice(dy, -2, i, end);
      const Tensor dp = matmul(dout, slice(v, -2, 0, end), {.b = true});
      const Tensor ds =
          p * (dp - sum(p * dp, -1, {.keepdim = true})) / std::sqrt(Scalar(q.size(-1)));
      dq.push_back(matmul(ds, slice(k, -2, 0, end)));
      add_rows(dk, matmul(ds, slice(q, -2, i, end), {.a = true}));
      add_rows(dv, matmul(p, dout, {.a = true}));
    }
    return {concat(dq, -2), dk, dv};
  });
}
