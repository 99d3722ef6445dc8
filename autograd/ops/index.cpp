#include "autograd/ops/index.h"

#include <algorithm>
#include <array>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/kernels/loops.h"

namespace gradus {
namespace {

/// The first index outside [0, n), or the end. Looks at all of them, so that the loop vectorises.
const std::int32_t* find_outside(const IndexTensor& index, Index n) {
  const auto is_outside = [n](std::int32_t i) { return i < 0 || i >= n; };
  bool found = false;
  for (const std::int32_t i : index) {
    found |= is_outside(i);
  }
  return found ? std::find_if(index.begin(), index.end(), is_outside) : index.end();
}

/// The indices of element number `flat`, which print like a shape.
Shape position(const Shape& shape, Index flat) {
  Shape position = shape;
  for (int axis = shape.rank(); axis-- > 0; flat /= shape[axis]) {
    position = position.with(axis, flat % shape[axis]);
  }
  return position;
}

void check_tokens(const IndexTensor& tokens, Index rows) {
  const std::int32_t* bad = find_outside(tokens, rows);
  if (bad != tokens.end()) {
    fail("embedding: token ", *bad, " at ", position(tokens.shape(), bad - tokens.begin()),
         " is outside the table's ", rows, " rows");
  }
}

// --- embedding: `count` tokens, a table of `rows` rows and `columns` columns ---

/// y[i, :] = table[tokens[i], :]
void embedding_forward(const std::int32_t* tokens, Index count, const Scalar* table, Index columns,
                       Scalar* y) {
  parallel_for(count, kElementGrain / (columns + 1) + 1, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      std::copy_n(table + tokens[i] * columns, columns, y + i * columns);
    }
  });
}

/// dtable[v, :] = sum of dy[i, :] over tokens[i] = v, in the order of i.
void embedding_backward(const std::int32_t* tokens, Index count, const Scalar* dy, Index rows,
                        Index columns, Scalar* dtable) {
  // Each thread goes through all tokens for its own columns, whole cache lines of them: no two
  // threads write the same place, and the order of addition does not depend on their number.
  constexpr Index kLine = 64 / sizeof(Scalar);
  const Index lines = (columns + kLine - 1) / kLine;
  const Index grain = kElementGrain / ((rows + count) * kLine + 1) + 1;
  parallel_for(lines, grain, [=](Index begin, Index end) {
    const Index first = begin * kLine;
    const Index n = std::min(columns, end * kLine) - first;
    for (Index v = 0; v < rows; ++v) {
      std::fill_n(dtable + v * columns + first, n, Scalar(0));
    }
    for (Index i = 0; i < count; ++i) {
      Scalar* to = dtable + tokens[i] * columns + first;
      const Scalar* from = dy + i * columns + first;
      for (Index c = 0; c < n; ++c) {
        to[c] += from[c];
      }
    }
  });
}

/// The gradient of embedding() as an op, whose own gradient is an embedding again.
Tensor sum_by_token(const IndexTensor& tokens, const Tensor& dy, Index rows) {
  const Index columns = dy.size(-1);
  Tensor dtable(Shape{rows, columns});
  embedding_backward(tokens.data(), tokens.size(), dy.data(), rows, columns, dtable.data());
  return record("sum_by_token", dtable, {dy}, [tokens](const Tensor& ddtable) -> Gradients {
    return {embedding(tokens, ddtable)};
  });
}

// --- gather ---

/// Calls visit(in_x, in_y) for every index: where in x it points, and where in y it stands. Indices
/// that may point to the same element are visited in their order by one thread.
template <class Visit>
void for_each_index(const Shape& x, int axis, const IndexTensor& index, Visit visit) {
  const Shape& y = index.shape();
  if (y.size() == 0) {
    return;
  }
  const int last = y.rank() - 1;
  const Index columns = y[last];
  const Index rows = y.size() / columns;
  std::array<Index, kMaxRank> strides{};  // of x, but 0 along the axis, where the index decides
  for (int d = 0; d <= last; ++d) {
    strides[d] = d == axis ? 0 : x.product(d + 1, x.rank());
  }
  const Index stride = x.product(axis + 1, x.rank());
  const std::int32_t* numbers = index.data();
  const auto part = [=, &y](Index first_row, Index last_row, Index first, Index end) {
    for (Index row = first_row; row < last_row; ++row) {
      Index base = 0;  // where the row begins in x, were its indices 0
      Index rest = row;
      for (int d = last; d-- > 0; rest /= y.begin()[d]) {
        base += rest % y.begin()[d] * strides[d];
      }
      for (Index c = first; c < end; ++c) {
        const Index in_y = row * columns + c;
        visit(base + c * strides[last] + numbers[in_y] * stride, in_y);
      }
    }
  };
  // Rows that differ before the axis never meet; if there is only one such group, columns do not.
  const Index groups = y.product(0, axis);
  if (groups > 1 || axis == last) {
    const Index group = rows / groups;
    parallel_for(groups, kElementGrain / (group * columns) + 1,
                 [&](Index begin, Index end) { part(begin * group, end * group, 0, columns); });
  } else {
    parallel_for(columns, kElementGrain / rows + 1,
                 [&](Index begin, Index end) { part(0, rows, begin, end); });
  }
}

/// The gradient of gather() as an op, whose own gradient is a gather again.
Tensor scatter_add(const Tensor& dy, int axis, const IndexTensor& index, const Shape& shape) {
  Tensor dx = zeros(shape);
  const Scalar* from = dy.data();
  Scalar* to = dx.data();
  for_each_index(shape, axis, index, [=](Index in_x, Index in_y) { to[in_x] += from[in_y]; });
  return record("scatter_add", dx, {dy}, [axis, index](const Tensor& ddx) -> Gradients {
    return {gather(ddx, axis, index)};
  });
}

void check_gather(const Tensor& x, int axis, const IndexTensor& index) {
  bool fits = index.rank() == x.rank();
  for (int d = 0; fits && d < x.rank(); ++d) {
    fits = d == axis || index.size(d) <= x.size(d);
  }
  check(fits, "gather: index must have x's axes and nowhere be larger except along axis ", axis,
        ", got x ", x.shape(), " and index ", index.shape());
  const std::int32_t* bad = find_outside(index, x.size(axis));
  if (bad != index.end()) {
    fail("gather: index ", *bad, " at ", position(index.shape(), bad - index.begin()),
         " is outside axis ", axis, " of ", x.shape());
  }
}

}  // namespace

Tensor embedding(const IndexTensor& tokens, const Tensor& table) {
  require_defined("embedding", {{"tokens", tokens}, {"table", table}});
  check(table.rank() == 2, "embedding: needs a table [V, C], got ", table.shape());
  const Index rows = table.size(0);
  const Index columns = table.size(1);
  check_tokens(tokens, rows);
  Tensor y(tokens.shape().append(columns, "embedding"));
  embedding_forward(tokens.data(), tokens.size(), table.data(), columns, y.data());
  // saved: the tokens, not the table
  return record("embedding", y, {table}, [tokens, rows](const Tensor& dy) -> Gradients {
    return {sum_by_token(tokens, dy, rows)};
  });
}

Tensor gather(const Tensor& x, int axis, const IndexTensor& index) {
  require_defined("gather", {{"x", x}, {"index", index}});
  axis = x.shape().axis_of(axis, "gather");
  check_gather(x, axis, index);
  Tensor y(index.shape());
  const Scalar* from = x.data();
  Scalar* to = y.data();
  for_each_index(x.shape(), axis, index, [=](Index in_x, Index in_y) { to[in_y] = from[in_x]; });
  return record("gather", y, {x}, [axis, index, shape = x.shape()](const Tensor& dy) -> Gradients {
    return {scatter_add(dy, axis, index, shape)};
  });
}

}  // namespace gradus
