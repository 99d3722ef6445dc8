// [strides]
// Chapter 01: tensors, from a row of numbers to broadcasting.
#include <iostream>

#include "pocket/tensor.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

using namespace pocket;

void strides() {
  const course::Part part("strides");
  for (const Shape& shape : {Shape{3, 4}, Shape{2, 3, 4}, Shape{3, 1}, Shape{}}) {
    std::cout << shape << ": size " << shape.size() << ", strides";
    for (const Index stride : strides_of(shape)) std::cout << " " << stride;
    std::cout << "\n";
  }
}
// [strides]

// [handles]
void handles() {
  const course::Part part("handles");
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  Tensor y = x;         // another handle
  Tensor z(x, {3, 2});  // the same numbers under another shape
  y.mutable_data()[0] = 100;
  z.mutable_data()[5] = 600;
  std::cout << x << "\n" << z << "\n";
}
// [handles]

// [readings]
Tensor read(const Tensor& x, const Shape& shape, const Strides& strides) {
  Tensor y(shape);
  for_each_element(shape, strides, strides,
                   [&](Index i, Index at, Index) { y.mutable_data()[i] = x.data()[at]; });
  return y;
}

void readings() {
  const course::Part part("readings");
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  std::cout << "strides 1, 3\n" << read(x, {3, 2}, {1, 3}) << "\n";
  std::cout << "strides 0, 1\n" << read(x, {2, 3}, {0, 1}) << "\n";
}
// [readings]

// [sums]
void sums() {
  const course::Part part("sums");
  const Tensor column = tensor({{1}, {2}, {3}}), row = tensor({10, 20, 30, 40});
  const Tensor table = elementwise("add", column, row, std::plus<>());
  std::cout << table << "\n";
  try {
    elementwise("add", table, tensor({1, 2, 3}), std::plus<>());
  } catch (const std::invalid_argument& error) {
    std::cout << error.what() << "\n";
  }
}
// [sums]

// [bias]
void bias() {
  const course::Part part("bias");
  for (const Shape& shape : {Shape{2, 3, 4}, Shape{8, 1024, 768}}) {
    Tensor words(shape), bias({shape[-1]}), repeated(shape);
    std::iota(words.mutable_data(), words.mutable_data() + words.size(), 0);  // 0, 1, 2, ...
    std::iota(bias.mutable_data(), bias.mutable_data() + bias.size(), 100);
    for (Index i = 0; i < repeated.size(); ++i)
      repeated.mutable_data()[i] = bias.data()[i % bias.size()];
    const Tensor x = elementwise("add", words, repeated, std::plus<>());
    const Tensor y = elementwise("add", words, bias, std::plus<>());
    const bool equal = std::equal(x.begin(), x.end(), y.begin());
    std::cout << shape << " + " << bias.shape() << ": " << repeated.size() << " floats repeated, "
              << bias.size() << " as they are, " << (equal ? "equal" : "other") << " sums\n";
  }
}

int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  strides(), handles(), readings(), sums(), bias();
}
// [bias]
