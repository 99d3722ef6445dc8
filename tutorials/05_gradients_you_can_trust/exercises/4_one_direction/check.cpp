#include "tutorials/common/check.h"

#include <algorithm>

#include "tutorials/05_gradients_you_can_trust/exercises.h"

using namespace gradus;

namespace {

using Backward = std::function<Matrix(const Matrix& x, const Matrix& dy)>;

/// An op whose gradient may be made wrong.
struct Suspect {
  Op right;
  Backward wrong;
  const char* hint;  // where the wrong one is right
  // One that is wrong elsewhere, if there is one.
  Backward other = {};
  const char* other_hint = "";
};

double sum_of(int n, const auto& f) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += f(k);
  return sum;
}

Matrix filled(int rows, int columns, const auto& f) {
  Matrix y(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) y.at(i, j) = f(i, j);
  }
  return y;
}

Matrix each(const Matrix& x, const auto& f) { return filled(x.rows, x.columns, f); }

/// The way back by f(x, dy, i, j), which is dx at this place.
Backward back(const auto& f) {
  return [=](const Matrix& x, const Matrix& dy) {
    return each(x, [&](int i, int j) { return f(x, dy, i, j); });
  };
}

Suspect row_mean() {
  return {{"row_mean",
           [](const Matrix& x) {
             return filled(x.rows, 1, [&](int i, int) {
               return sum_of(x.columns, [&](int k) { return x.at(i, k) / x.columns; });
             });
           },
           back([](auto& x, auto& dy, int i, int) { return dy.at(i, 0) / x.columns; })},
          back([](auto& x, auto& dy, int i, int) { return dy.at(i, 0) / x.rows; }),
          "right where there are as many rows as columns"};
}

Suspect softmax() {
  const auto forward = [](const Matrix& x) {
    return each(x, [&](int i, int j) {
      return std::exp(x.at(i, j)) / sum_of(x.columns, [&](int k) { return std::exp(x.at(i, k)); });
    });
  };
  const auto centred = [=](auto& x, auto& dy, int i, int j) {
    const Matrix y = forward(x);
    return dy.at(i, j) - sum_of(x.columns, [&](int k) { return y.at(i, k) * dy.at(i, k); });
  };
  return {{"softmax", forward, back([=](auto& x, auto& dy, int i, int j) {
             return forward(x).at(i, j) * centred(x, dy, i, j);
           })},
          back(centred),
          "right where all of dy is the same"};
}

Suspect square() {
  return {
      {"square",
       [](const Matrix& x) {
         return each(x, [&](int i, int j) { return x.at(i, j) * x.at(i, j); });
       },
       back([](auto& x, auto& dy, int i, int j) { return 2 * x.at(i, j) * dy.at(i, j); })},
      back([](auto& x, auto& dy, int i, int j) { return 2 * std::abs(x.at(i, j)) * dy.at(i, j); }),
      "right where x is positive",
      back([](auto& x, auto& dy, int i, int j) {
        return (i > 0 ? 1 : 2) * x.at(i, j) * dy.at(i, j);
      }),
      "right in the first row"};
}

Suspect relu() {
  return {{"relu",
           [](const Matrix& x) {
             return each(x, [&](int i, int j) { return std::max(x.at(i, j), 0.0); });
           },
           back([](auto& x, auto& dy, int i, int j) { return x.at(i, j) > 0 ? dy.at(i, j) : 0; })},
          back([](auto&, auto& dy, int i, int j) { return dy.at(i, j); }),
          "right where x is positive",
          back([](auto&, auto&, int, int) { return 0.0; }),
          "right where x is negative"};
}

Suspect centre() {
  const auto without_mean = [](const Matrix& x) {
    return each(x, [&](int i, int j) {
      return x.at(i, j) - sum_of(x.rows, [&](int k) { return x.at(k, j) / x.rows; });
    });
  };
  return {
      {"centre", without_mean, [=](const Matrix&, const Matrix& dy) { return without_mean(dy); }},
      [](const Matrix&, const Matrix& dy) { return dy; },
      "right where each column of dy sums to 0"};
}

Suspect transpose() {
  const auto turn = [](const Matrix& x) {
    return filled(x.columns, x.rows, [&](int i, int j) { return x.at(j, i); });
  };
  return {{"transpose", turn, [=](const Matrix&, const Matrix& dy) { return turn(dy); }},
          [](const Matrix& x, const Matrix& dy) {
            Matrix dx(x.rows, x.columns);
            dx.numbers = dy.numbers;
            return dx;
          },
          "right where there is one row, one column, dy all the same, or all of x moved alike"};
}

/// Asks about an op, whose gradient is right or, for the reason `hint`, seems so.
void ask(Op op, bool right, const std::string& hint) {
  int forwards = 0, backwards = 0;
  op.forward = [&, f = op.forward](const Matrix& x) { return ++forwards, f(x); };
  op.backward = [&, b = op.backward](const Matrix& x, const Matrix& dy) {
    return ++backwards, b(x, dy);
  };
  const bool said = my_gradient_is_right(op);
  if (forwards > 3 || backwards > 1) {
    red(op.name, ": ", forwards, " forward passes and ", backwards,
        " backward\nat most 3 and 1: move all elements of x at once");
  }
  if (said && !right) {
    red(op.name, "'s gradient is wrong, and was called right\nlikely cause: it is ", hint,
        ", and you looked only there");
  }
  if (!said && right) {
    red(op.name,
        "'s gradient is right, and was called wrong\nlikely cause: a step that is too "
        "small or too large, a tolerance below what differences can give, or an x too "
        "near to a kink, as relu has one at 0");
  }
}

}  // namespace

CHECK_ANSWER() {
  const Suspect suspects[] = {row_mean(), softmax(), square(), relu(), centre(), transpose()};
  for (int n = 0; n < 72; ++n) {  // twice all pairs: with other wrong gradients the second time
    const int first = n / 6 % 6, second = n % 6;
    if (first >= second) continue;
    for (int i = 0; i < 6; ++i) {
      Op op = suspects[i].right;
      const bool right = i != first && i != second, other = n >= 36 && suspects[i].other;
      if (!right) op.backward = other ? suspects[i].other : suspects[i].wrong;
      ask(op, right, other ? suspects[i].other_hint : suspects[i].hint);
    }
    green("wrong ones found: ", suspects[first].right.name, " and ", suspects[second].right.name);
  }
  Op op = square().right;
  op.backward = back([](auto&, auto&, int i, int j) { return i + j == 0 ? std::nan("") : 0.0; });
  if (my_gradient_is_right(op)) {
    red("a gradient of NaN was called right\nlikely cause: every comparison with NaN is false: "
        "ask whether the error is within the tolerance");
  }
  green("NaN is found");
}
