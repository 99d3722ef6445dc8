#include <sys/mman.h>

#include <new>
#include <string>

#include "tutorials/22_from_pocket_to_gradus/exercises.h"
#include "tutorials/common/guards.h"

using gradus::as_library;
using gradus::green;
using gradus::red;

namespace {

std::size_t bytes_taken = 0;

/// While it is set, small pieces of memory begin right after a page that nobody may read: logits at
/// -100, the number of no target, end the program.
bool is_guarded = false;
constexpr std::size_t kPage = 4096, kPages = 2048;
char* guarded = nullptr;
std::size_t guarded_used = 0;

void* guarded_piece(std::size_t bytes) {
  if (!is_guarded || bytes > kPage || guarded_used + 2 > kPages) return nullptr;
  if (guarded == nullptr) {
    void* all = mmap(nullptr, kPages * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return nullptr;
    guarded = static_cast<char*>(all);
  }
  char* piece = guarded + (guarded_used + 1) * kPage;
  guarded_used += 2;
  return mprotect(piece, kPage, PROT_READ | PROT_WRITE) == 0 ? piece : nullptr;
}

bool in_guarded(const void* place) {
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  const auto from = reinterpret_cast<std::uintptr_t>(guarded);
  return guarded != nullptr && at >= from && at < from + kPages * kPage;
}

enum Gaps { kNone, kSome, kAll };
IndexTensor targets_of(const Shape& shape, Index vocab, Gaps gaps) {
  std::vector<std::int32_t> all;
  for (Index i = 0; i < shape.size(); ++i) {
    const Index drawn = uniform_index({.seed = 5}, i, vocab);
    const bool is_gap = gaps == kAll || (gaps == kSome && i % 3 == 1);
    all.push_back(is_gap ? -100 : static_cast<std::int32_t>(drawn));
  }
  return IndexTensor(shape, all);
}

Tensor logits_of(Shape shape, Index vocab, Scalar spread, Scalar mean = 0) {
  shape.push_back(vocab);
  return normal(shape, {.seed = 3}, mean, spread);
}

const char* const kLargest =
    "exponentials of what is too large or too small: subtract the largest first, one of the row's "
    "own numbers, which may be below 0";

/// A closure that refers to what is gone asks for any size.
void pass_back(const std::string& what, const Tensor& loss) {
  try {
    backward(loss);
  } catch (const std::bad_alloc&) {
    red(what +
        ": backward asked for more memory than there is\nlikely cause: the closure captures by "
        "[&], and what it refers to ended with the forward pass; capture copies, [=]");
  }
}

void hold(const std::string& what, const Tensor& x, const IndexTensor& targets, Scalar factor,
          const std::string& when_infinite = kLargest) {
  const Shape shape = x.shape();
  const Index vocab = x.size(-1);
  const bool with_gaps = std::count(targets.begin(), targets.end(), -100) > 0;
  is_guarded = with_gaps;
  Tensor mine = tensor(shape, {x.begin(), x.end()}).set_requires_grad();
  is_guarded = false;
  Tensor right = tensor(shape, {x.begin(), x.end()}).set_requires_grad();
  const Tensor expected = cross_entropy(right, targets);
  backward(expected * factor);

  const Index nodes = nodes_made;
  const std::size_t before = bytes_taken;
  const Tensor loss =
      gradus::unchanged<Tensor>(what, {mine}, [&] { return fused_cross_entropy(mine, targets); });
  const std::size_t forward =
      bytes_taken - before - 4 * std::size_t(x.size());  // unchanged() has a copy
  if (!loss.defined()) red(what + ": got nothing");
  gradus::must_be_finite(what, loss, when_infinite);
  gradus::expect(what + ": the loss", as_library(loss), as_library(expected.detach()),
                 {{as_library(expected.detach() * Scalar(targets.size())),
                   "a sum over the positions; the mean was asked for"},
                  {as_library(-expected.detach()), "the sign: -ln p"}},
                 1e-5 * std::max(1.0f, std::abs(expected.item())));
  if (!loss.requires_grad()) red(what + ": the result has no node\nlikely cause: no record()");
  if (nodes_made - nodes != 1) {
    red(what + ": " + std::to_string(nodes_made - nodes) + " nodes were recorded, expected 1");
  }
  const Tensor scaled = loss * factor;
  const std::size_t half_way = bytes_taken;
  pass_back(what, scaled);
  const std::size_t back = bytes_taken - half_way;
  const Tensor got = mine.grad(), grad = right.grad();
  const Tensor none = zeros(shape);
  if (!got.defined()) red(what + ": no gradient arrived");
  Tensor all_rows = grad;
  if (with_gaps) {  // softmax also where there is no target
    const Tensor p = softmax(x);
    all_rows = tensor(shape, {grad.begin(), grad.end()});
    Index count = 0;
    for (const std::int32_t target : targets) count += target != -100;
    for (Index i = 0; i < targets.size(); ++i) {
      for (Index j = i * vocab; targets.data()[i] == -100 && j < (i + 1) * vocab; ++j) {
        all_rows.mutable_data()[j] = p.data()[j] * factor / Scalar(std::max<Index>(count, 1));
      }
    }
  }
  gradus::expect(
      what + ": the gradient", as_library(got), as_library(grad),
      {{as_library(grad / factor), "dy was ignored: the loss was multiplied afterwards"},
       {as_library(-grad), "the sign: p minus 1 at the target"},
       {as_library(grad * Scalar(targets.size())), "not divided by the number of targets"},
       {as_library(all_rows), "positions without a target get a gradient"},
       {as_library(none), "zeros"}},
      1e-6 * std::abs(factor));
  const std::size_t one = 4 * x.size(), small = 4096 + 64 * targets.size();
  const auto arrays = [&](std::size_t bytes) {
    return std::to_string(double(bytes) / double(one));
  };
  if (x.size() < 10000) return;
  if (forward > one + small) {
    red(what + ": forward took " + arrays(forward) +
        " arrays of the logits' size, expected 1 at most");
  }
  if (back > one + small) {
    red(what + ": backward took " + arrays(back) +
        " arrays of the logits' size, expected 1 at most");
  }
  green(what + ": memory");
}

/// What a node has saved serves each call of its closure.
void must_keep_saved() {
  const Tensor x = logits_of({4}, 5, 1).set_requires_grad();
  const Tensor loss = fused_cross_entropy(x, targets_of({4}, 5, kSome));
  const auto dx = [&] { return loss.node()->closure(ones(loss.shape())).at(0); };
  const Tensor first = dx();
  const std::vector<Scalar> numbers(first.begin(), first.end());
  const Tensor again = dx();
  if (!std::equal(numbers.begin(), numbers.end(), again.begin())) {
    red("the closure, called twice, gives two gradients\nlikely cause: the gradient is written "
        "where p is saved; make a new array");
  }
  green("what is saved stays as it was");
}

}  // namespace

Scalar pocket::exp_row(const Scalar* from, Scalar largest, Scalar* to, Index n) {
  for (Index i = 0; i < n; ++i) to[i] = std::exp(from[i] - largest);
  return std::accumulate(to, to + n, Scalar(0));
}
Scalar pocket::row_dot(const Scalar* x, const Scalar* y, Index n) {
  return std::inner_product(x, x + n, y, Scalar(0));
}

void* operator new(std::size_t bytes) {
  bytes_taken += bytes;
  if (void* place = guarded_piece(bytes)) return place;
  if (void* place = std::malloc(bytes == 0 ? 1 : bytes)) return place;
  throw std::bad_alloc();
}
void operator delete(void* place) noexcept {
  if (!in_guarded(place)) std::free(place);
}
void operator delete(void* place, std::size_t) noexcept { operator delete(place); }

int main() {
  return gradus::run_check([] {
    Tensor far = zeros({3, 5});
    for (Index i = 0; i < far.size(); ++i) far.mutable_data()[i] = i % 5 == 1 ? 0 : -200;
    hold("3 positions of 5 tokens", logits_of({3}, 5, 1), targets_of({3}, 5, kNone), 1);
    hold("[2, 7] positions", logits_of({2, 7}, 11, 1), targets_of({2, 7}, 11, kNone), Scalar(-2.5));
    hold("positions without a target", logits_of({4, 5}, 7, 1), targets_of({4, 5}, 7, kSome), 3);
    hold("no target at all", logits_of({4}, 7, 1), targets_of({4}, 7, kAll), 1,
         "the loss is divided by the number of targets, which is 0: divide by 1 at least");
    hold("logits 0 and -200", far, IndexTensor({3}, {0, 1, 4}), 1,
         "p is e^-200, which a float rounds to 0, and ln 0 is -inf: compute m + ln sum - x_target");
    hold("logits around -200", logits_of({3}, 5, 1, -200), targets_of({3}, 5, kNone), 1);
    hold("logits of some ten thousand", logits_of({3, 4}, 6, 1e4), targets_of({3, 4}, 6, kSome), 2);
    must_keep_saved();
    hold("[16, 32] positions of 61 tokens", logits_of({16, 32}, 61, 2),
         targets_of({16, 32}, 61, kSome), Scalar(0.5));
  });
}
