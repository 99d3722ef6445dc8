// The expected texts are NumPy 1.24's with precision=4, for float32 and float64.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "autograd/check.h"
#include "autograd/index_tensor.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/shape.h"
#include "autograd/tensor.h"

using namespace gradus;
using namespace gradus::detail;

TEST_CASE("print: numbers share one format") {
  CHECK(text(tensor({{1, 2}, {3, 4}})) == "[[1. 2.]\n [3. 4.]]");
  CHECK(text(tensor({1.5, -2.25, 1.0 / 3})) == "[ 1.5    -2.25    0.3333]");
  CHECK(text(tensor({0.1, 100, -20})) == "[  0.1 100.  -20. ]");
  CHECK(text(zeros({1, 1, 1})) == "[[[0.]]]");
}

TEST_CASE("print: exponents where sizes are far apart") {
  CHECK(text(tensor({1e-5, 1, 3})) == "[1.e-05 1.e+00 3.e+00]");
  CHECK(text(tensor({1e8, 1, -3.5})) == "[ 1.0e+08  1.0e+00 -3.5e+00]");
  CHECK(text(tensor({2.0, 2500})) == "[2.0e+00 2.5e+03]");
  CHECK(text(tensor({2.0, 2000})) == "[   2. 2000.]");
  CHECK(text(tensor({-0.0, 0.99999, 5e-4})) == "[-0.0000e+00  9.9999e-01  5.0000e-04]");
}

TEST_CASE("print: NaN and infinities are aligned") {
  CHECK(text(tensor({NAN, 1, -INFINITY})) == "[ nan   1. -inf]");
  CHECK(text(tensor({NAN, NAN})) == "[nan nan]");
  CHECK(text(tensor({NAN, 0.25, INFINITY})) == "[ nan 0.25  inf]");
  CHECK(text(tensor({1e-30, NAN, -2e30})) == "[ 1.e-30     nan -2.e+30]");
}

TEST_CASE("print: nested brackets") {
  CHECK(text(reshape(arange(12) / 8, {2, 2, 3})) ==
        "[[[0.    0.125 0.25 ]\n"
        "  [0.375 0.5   0.625]]\n"
        "\n"
        " [[0.75  0.875 1.   ]\n"
        "  [1.125 1.25  1.375]]]");
  CHECK(text(reshape(arange(4), {1, 2, 1, 2})) == "[[[[0. 1.]]\n\n  [[2. 3.]]]]");
}

TEST_CASE("print: long lines are broken, long axes shortened") {
  CHECK(text(arange(25)) ==
        "[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16. 17.\n"
        " 18. 19. 20. 21. 22. 23. 24.]");
  CHECK(text(full({20}, 100)) ==
        "[100. 100. 100. 100. 100. 100. 100. 100. 100. 100. 100. 100. 100. 100.\n"
        " 100. 100. 100. 100. 100. 100.]");
  CHECK(text(IndexTensor(Shape{40})) ==
        "[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
        " 0 0 0]");
  CHECK(text(zeros({6, 200})) ==
        "[[0. 0. 0. ... 0. 0. 0.]\n"
        " [0. 0. 0. ... 0. 0. 0.]\n"
        " [0. 0. 0. ... 0. 0. 0.]\n"
        " [0. 0. 0. ... 0. 0. 0.]\n"
        " [0. 0. 0. ... 0. 0. 0.]\n"
        " [0. 0. 0. ... 0. 0. 0.]]");
  CHECK(text(arange(1000)).find("...") == std::string::npos);
  CHECK(text(arange(1001)) == "[   0.    1.    2. ...  998.  999. 1000.]");
  CHECK(text(reshape(arange(2000) / 4, {40, 50})) ==
        "[[0.0000e+00 2.5000e-01 5.0000e-01 ... 1.1750e+01 1.2000e+01 1.2250e+01]\n"
        " [1.2500e+01 1.2750e+01 1.3000e+01 ... 2.4250e+01 2.4500e+01 2.4750e+01]\n"
        " [2.5000e+01 2.5250e+01 2.5500e+01 ... 3.6750e+01 3.7000e+01 3.7250e+01]\n"
        " ...\n"
        " [4.6250e+02 4.6275e+02 4.6300e+02 ... 4.7425e+02 4.7450e+02 4.7475e+02]\n"
        " [4.7500e+02 4.7525e+02 4.7550e+02 ... 4.8675e+02 4.8700e+02 4.8725e+02]\n"
        " [4.8750e+02 4.8775e+02 4.8800e+02 ... 4.9925e+02 4.9950e+02 4.9975e+02]]");
  const std::string cube = text(reshape(arange(2002), {7, 2, 143}));
  CHECK(
      cube.starts_with("[[[0.000e+00 1.000e+00 2.000e+00 ... 1.400e+02 1.410e+02 1.420e+02]\n"
                       "  [1.430e+02 1.440e+02 1.450e+02 ... 2.830e+02 2.840e+02 2.850e+02]]\n"
                       "\n"
                       " [[2.860e+02 2.870e+02"));
  CHECK(cube.find("5.710e+02]]\n\n [[5.720e+02 5.730e+02 5.740e+02 ... 7.120e+02 7.130e+02 "
                  "7.140e+02]\n") != std::string::npos);
  CHECK(cube.find("8.570e+02]]\n\n ...\n\n [[1.144e+03") != std::string::npos);
}

TEST_CASE("print: scalars with all their digits, empty and undefined tensors") {
  CHECK(text(scalar(3)) == "3.0");
  CHECK(text(scalar(0)) == "0.0");
  CHECK(text(scalar(Scalar(0.1))) == "0.1");
  CHECK(text(scalar(-2.5)) == "-2.5");
  CHECK(text(scalar(123456.75)) == "123456.75");
  CHECK(text(scalar(Scalar(1e-5))) == "1e-05");
  CHECK(text(scalar(Scalar(-1.5e16))) == "-1.5e+16");
  CHECK(text(scalar(-INFINITY)) == "-inf");
  CHECK(text(scalar(NAN)) == "nan");
  CHECK(text(zeros({2, 0, 3})) == "[]");
  CHECK(text(Tensor()) == "undefined");
}

TEST_CASE("print: index tensors") {
  CHECK(text(indices({{0, -12}, {100, 7}})) == "[[  0 -12]\n [100   7]]");
  CHECK(text(indices({-1, 5, 3})) == "[-1  5  3]");
  CHECK(text(IndexTensor(Shape{1001})) == "[0 0 0 ... 0 0 0]");
  CHECK(text(indices(7)) == "7");
  CHECK(text(IndexTensor(Shape{0})) == "[]");
  CHECK(text(IndexTensor()) == "undefined");
}
