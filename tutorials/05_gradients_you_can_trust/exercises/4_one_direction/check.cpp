#include "tutorials/common/check.h"

#include <algorithm>

#include "tutorials/05_gradients_you_can_trust/exercises.h"

using namespace gradus;

namespace {

/// An op whose gradient may be made wrong.
struct Suspect {
  Op right;
  std::function<Matrix(const Matrix&, const Matrix&)> wrong;
  const char* hint;  // where the wrong one is right
  // One that is wrong elsewhere, if there is one.
  std::function<Matrix(const Matrix&, const Matrix&)> other = {};
  const char* other_hint = "";
};

Matrix each(const Matrix& x, const std::function<double(int, int)>& f) {
  Matrix y(x.rows, x.columns);
  for (int i = 0; i < x.rows; ++i) {
    for (int j = 0; j < x.columns; ++j) y.at(i, j) = f(i, j);
  }
  return y;
}

Suspect row_mean() {
  const auto spread = [](const Matrix& x, const Matrix& dy, int count) {
    return each(x, [&](int i, int) { return dy.at(i, 0) / count; });
  };
  return {{"row_mean",
           [](const Matrix& x) {
             Matrix y(x.rows, 1);
             for (int i = 0; i < x.rows; ++i) {
               for (int j = 0; j < x.columns; ++j) y.at(i, 0) += x.at(i, j) / x.columns;
             }
             return y;
           },
           [=](const Matrix& x, const Matrix& dy) { return spread(x, dy, x.columns); }},
          [=](const Matrix& x, const Matrix& dy) { return spread(x, dy, x.rows); },
          "right where there are as many rows as columns"};
}

Suspect softmax() {
  const auto forward = [](const Matrix& x) {
    return each(x, [&](int i, int j) {
      double total = 0;
      for (int k = 0; k < x.columns; ++k) total += std::exp(x.at(i, k));
      return std::exp(x.at(i, j)) / total;
    });
  };
  const auto centred = [=](const Matrix& x, const Matrix& dy, bool with_factor) {
    const Matrix y = forward(x);
    return each(x, [&](int i, int j) {
      double average = 0;
      for (int k = 0; k < x.columns; ++k) average += y.at(i, k) * dy.at(i, k);
      return (with_factor ? y.at(i, j) : 1) * (dy.at(i, j) - average);
    });
  };
  return {
      {"softmax", forward, [=](const Matrix& x, const Matrix& dy) { return centred(x, dy, true); }},
      [=](const Matrix& x, const Matrix& dy) { return centred(x, dy, false); },
      "right where all of dy is the same"};
}

Suspect square() {
  return {{"square",
           [](const Matrix& x) {
             return each(x, [&](int i, int j) { return x.at(i, j) * x.at(i, j); });
           },
           [](const Matrix& x, const Matrix& dy) {
             return each(x, [&](int i, int j) { return 2 * x.at(i, j) * dy.at(i, j); });
           }},
          [](const Matrix& x, const Matrix& dy) {
            return each(x, [&](int i, int j) { return 2 * std::abs(x.at(i, j)) * dy.at(i, j); });
          },
          "right where x is positive",
          [](const Matrix& x, const Matrix& dy) {
            return each(x,
                        [&](int i, int j) { return (i > 0 ? 1 : 2) * x.at(i, j) * dy.at(i, j); });
          },
          "right in the first row"};
}

Suspect relu() {
  return {{"relu",
           [](const Matrix& x) {
             return each(x, [&](int i, int j) { return std::max(x.at(i, j), 0.0); });
           },
           [](const Matrix& x, const Matrix& dy) {
             return each(x, [&](int i, int j) { return x.at(i, j) > 0 ? dy.at(i, j) : 0; });
           }},
          [](const Matrix&, const Matrix& dy) { return dy; },
          "right where x is positive",
          [](const Matrix& x, const Matrix&) { return Matrix(x.rows, x.columns); },
          "right where x is negative"};
}

Suspect centre() {
  const auto without_mean = [](const Matrix& x) {
    return each(x, [&](int i, int j) {
      double mean = 0;
      for (int k = 0; k < x.rows; ++k) mean += x.at(k, j) / x.rows;
      return x.at(i, j) - mean;
    });
  };
  return {
      {"centre", without_mean, [=](const Matrix&, const Matrix& dy) { return without_mean(dy); }},
      [](const Matrix&, const Matrix& dy) { return dy; },
      "right where each column of dy sums to 0"};
}

Suspect transpose() {
  const auto turn = [](const Matrix& x) {
    Matrix y(x.columns, x.rows);
    for (int i = 0; i < x.rows; ++i) {
      for (int j = 0; j < x.columns; ++j) y.at(j, i) = x.at(i, j);
    }
    return y;
  };
  return {{"transpose", turn, [=](const Matrix&, const Matrix& dy) { return turn(dy); }},
          [](const Matrix& x, const Matrix& dy) {
            Matrix dx(x.rows, x.columns);
            dx.numbers = dy.numbers;
            return dx;
          },
          "right where there is one row, one column, dy all the same, or all of x moved alike"};
}

}  // namespace

int main() {
  return run_check([] {
    int forwards = 0, backwards = 0;
    const Suspect suspects[] = {row_mean(), softmax(), square(), relu(), centre(), transpose()};
    for (int n = 0; n < 72; ++n) {  // twice all pairs: with other wrong gradients the second time
      const int first = n / 6 % 6, second = n % 6;
      const bool others = n >= 36;
      if (first < second) {
        for (int i = 0; i < 6; ++i) {
          const Suspect& suspect = suspects[i];
          Op op = suspect.right;
          const bool right = i != first && i != second;
          const bool other = others && suspect.other;
          if (!right) op.backward = other ? suspect.other : suspect.wrong;
          forwards = backwards = 0;
          op.forward = [&, f = op.forward](const Matrix& x) { return ++forwards, f(x); };
          op.backward = [&, b = op.backward](const Matrix& x, const Matrix& dy) {
            return ++backwards, b(x, dy);
          };
          const bool said = my_gradient_is_right(op);
          if (forwards > 3 || backwards > 1) {
            red(op.name + ": " + std::to_string(forwards) + " forward passes and " +
                std::to_string(backwards) +
                " backward\nat most 3 and 1: move all elements of x at once");
          }
          if (said && !right) {
            red(op.name + "'s gradient is wrong, and was called right\nlikely cause: it is " +
                (other ? suspect.other_hint : suspect.hint) + ", and you looked only there");
          }
          if (!said && right) {
            red(op.name +
                "'s gradient is right, and was called wrong\nlikely cause: a step that is "
                "too small or too large, a tolerance below what differences can give, or an x too "
                "near to a kink" +
                std::string(op.name == "relu" ? " (relu has one at 0)" : ""));
          }
        }
        green("wrong ones found: " + suspects[first].right.name + " and " +
              suspects[second].right.name);
      }
    }
    Op op = square().right;
    op.backward = [](const Matrix& x, const Matrix&) {
      return each(x, [](int i, int j) { return i + j == 0 ? std::nan("") : 0.0; });
    };
    if (my_gradient_is_right(op)) {
      red("a gradient of NaN was called right\nlikely cause: every comparison with NaN is false: "
          "ask whether the error is within the tolerance");
    }
    green("NaN is found");
  });
}
