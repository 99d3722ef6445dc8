// Exercise 22.5: Which line of pocket first?
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

// Two functions of pocket get other names, so that their lines can be counted or changed here.
#define elementwise plain_elementwise
#include "tutorials/pocket/tensor.h"
#undef elementwise
#define record plain_record

static char changed = '-';  // which line is
// Of memory taken; and numbers, in millions: found by strides, and added to a row's sum in memory.
static double pieces, megabytes, visits, in_memory;

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  pieces += 1, megabytes += double(bytes) / 1e6;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
[[gnu::noinline]] void operator delete(void* place) noexcept { std::free(place); }
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept { std::free(place); }

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

// B: record() moves its closure into the node, where it was copied.
inline Tensor record(const char* op, const Tensor& y, const std::vector<Tensor>& inputs,
                     std::function<Gradients(const Tensor& dy)> closure) {
  std::vector<std::shared_ptr<Node>> nodes;
  for (const Tensor& x : inputs) nodes.push_back(x.node());
  if (!recording || std::count(nodes.begin(), nodes.end(), nullptr) == std::ssize(nodes)) return y;
  Node* node = new Node{op, y.shape(), nodes};
  node->closure = changed == 'B' ? std::move(closure) : closure;
  return Tensor(y, y.shape(), std::shared_ptr<Node>(node));
}

// A: strided() adds a row in a register, where it did to[at] += from[i]. pocket's sums call it with
// a plain 0: this one suits them better than pocket's own.
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

// C: the closure of map() ends with a product into dx, where `dx * dy` was a new array. In a
// backward pass, dx is the only factor on the left that is not const.
Tensor operator*(const Tensor& a, const Tensor& b);
inline Tensor operator*(Tensor& dx, const Tensor& dy) {
  if (changed != 'C' || recording) return std::as_const(dx) * dy;
  std::transform(dx.begin(), dx.end(), dy.begin(), dx.mutable_data(), std::multiplies<>());
  return dx;
}

}  // namespace pocket

#include "tutorials/pocket/gpt.h"

using namespace pocket;

int main() {
  Gpt model({.vocab_size = 61, .n_positions = 32, .n_layer = 2, .n_head = 4, .n_embd = 64}, 1);
  const Tokens tokens = [] {
    Tokens drawn;
    for (Index i = 0; i < 513; ++i) {
      drawn.push_back(static_cast<std::int32_t>(uniform_index({.seed = 1}, i, 61)));
    }
    return drawn;
  }();
  const Batch batch = batch_at(tokens, {0, 100, 200, 300, 400, 480}, 32);
  std::printf("             memory     millions of numbers\n");
  std::printf("line     MB  pieces  by strides  row sums in memory    loss\n");
  for (const char line : {'-', 'A', 'B', 'C'}) {
    for (NamedTensor x : parameters(model)) x.tensor.zero_grad();
    changed = line, pieces = megabytes = visits = in_memory = 0;
    const Tensor loss = model.loss(batch.inputs, batch.targets);
    backward(loss);
    std::printf("%c     %5.1f  %6.0f %11.2f %19.2f  %.4f\n", line, megabytes, pieces, visits,
                in_memory, double{loss.item()});
  }
}
