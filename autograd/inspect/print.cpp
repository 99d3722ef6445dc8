// Prints tensors as NumPy prints arrays: up to 4 decimals, lines of 75 columns, and if there are
// more than 1000 elements, only the first and last 3 along each axis.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <ostream>
#include <string>

#include "autograd/index_tensor.h"
#include "autograd/tensor.h"

namespace gradus {
namespace {

constexpr int kDecimals = 4;
constexpr std::size_t kColumns = 75;
constexpr Index kThreshold = 1000;
constexpr Index kEdge = 3;

/// A number's digits: [-]whole.fraction, times ten to the exponent if there is one.
struct Digits {
  std::string whole, fraction, exponent;  // the exponent with its sign
};

Digits split(const char* begin, const char* end) {
  const char* e = std::find(begin, end, 'e');
  const char* point = std::find(begin, e, '.');
  Digits digits{{begin, point}, {point == e ? e : point + 1, e}, {e == end ? end : e + 1, end}};
  digits.fraction.erase(digits.fraction.find_last_not_of('0') + 1);
  return digits;
}

/// The digits of x in `format`, rounded to kDecimals.
Digits rounded(Scalar x, std::chars_format format) {
  char buffer[512];  // the largest double has 309 digits
  return split(buffer, std::to_chars(buffer, std::end(buffer), x, format, kDecimals).ptr);
}

/// The fewest digits that distinguish x from its neighbours.
Digits shortest(Scalar x, std::chars_format format) {
  char buffer[512];
  return split(buffer, std::to_chars(buffer, std::end(buffer), x, format).ptr);
}

/// The same, with at most kDecimals digits after the point.
Digits few(Scalar x, std::chars_format format) {
  const Digits digits = shortest(x, format);
  return digits.fraction.size() <= kDecimals ? digits : rounded(x, format);
}

Digits positional(Scalar x) { return few(x, std::chars_format::fixed); }
Digits scientific(Scalar x) { return few(x, std::chars_format::scientific); }

std::string non_finite(Scalar x) { return std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf"; }

/// A number on its own, with all its digits.
std::string single(Scalar x) {
  if (!std::isfinite(x)) {
    return non_finite(x);
  }
  const double size = std::abs(static_cast<double>(x));
  if (size != 0 && (size < 1e-4 || size >= 1e16)) {
    const Digits digits = shortest(x, std::chars_format::scientific);
    return digits.whole + (digits.fraction.empty() ? "" : "." + digits.fraction) + "e" +
           digits.exponent;
  }
  const Digits digits = shortest(x, std::chars_format::fixed);
  return digits.whole + "." + (digits.fraction.empty() ? "0" : digits.fraction);
}

/// One format for all numbers of a tensor, so that their decimal points are in one column.
class FloatFormat {
 public:
  void include(Scalar x) {
    if (!std::isfinite(x)) {
      other_ = std::max(other_, non_finite(x).size());
      return;
    }
    if (x != 0) {
      smallest_ = std::min(smallest_, std::abs(x));
      largest_ = std::max(largest_, std::abs(x));
    }
    widen(positional_, positional(x));
    widen(scientific_, scientific(x));
  }

  std::string operator()(Scalar x) const {
    const bool exponents = largest_ > 0 && (largest_ >= Scalar(1e8) || smallest_ < Scalar(1e-4) ||
                                            largest_ / smallest_ > 1000);
    const Widths& widths = exponents ? scientific_ : positional_;
    std::string word = exponents ? with_exponent(x) : std::isfinite(x) ? point(x) : non_finite(x);
    const std::size_t after = widths.fraction + (exponents ? widths.exponent + 1 : 0);
    const std::size_t whole = std::max(widths.whole + 1 + after, other_);
    return std::string(whole - std::min(whole, word.size()), ' ') + word;
  }

 private:
  struct Widths {
    std::size_t whole = 0, fraction = 0, exponent = 0;
  };

  static void widen(Widths& widths, const Digits& digits) {
    widths.whole = std::max(widths.whole, digits.whole.size());
    widths.fraction = std::max(widths.fraction, digits.fraction.size());
    widths.exponent = std::max(widths.exponent, digits.exponent.size());
  }

  std::string point(Scalar x) const {
    Digits digits = positional(x);
    digits.fraction.resize(positional_.fraction, ' ');
    return digits.whole + "." + digits.fraction;
  }

  std::string with_exponent(Scalar x) const {
    if (!std::isfinite(x)) {
      return non_finite(x);
    }
    Digits digits = scientific(x);
    digits.fraction.resize(scientific_.fraction, '0');
    digits.exponent.insert(1, scientific_.exponent - digits.exponent.size(), '0');
    return digits.whole + "." + digits.fraction + "e" + digits.exponent;
  }

  Scalar smallest_ = HUGE_VAL, largest_ = 0;
  Widths positional_, scientific_;
  std::size_t other_ = 0;  // the length of the longest of nan, inf and -inf that occur
};

/// Puts brackets, line ends and dots around the elements, which `word` turns into text.
class Layout {
 public:
  Layout(const Shape& shape, std::function<std::string(Index)> word)
      : shape_(shape), shortened_(shape.size() > kThreshold), word_(std::move(word)) {}

  /// Calls visit(element) for all elements that will be shown.
  template <class Visit>
  void for_each(Visit visit, int axis = 0, Index offset = 0) const {
    if (axis == shape_.rank()) {
      visit(offset);
      return;
    }
    const Index inner = shape_.product(axis + 1, shape_.rank());
    for_each_shown(
        shape_[axis], [&](Index i) { for_each(visit, axis + 1, offset + i * inner); }, [] {});
  }

  /// The part of the text below `axis` that begins at element `offset`.
  std::string lines(int axis = 0, Index offset = 0) const {
    return axis + 1 == shape_.rank() ? row(axis, offset) : block(axis, offset);
  }

 private:
  template <class Show, class Skip>
  void for_each_shown(Index count, Show show, Skip skip) const {
    const bool skips = shortened_ && count > 2 * kEdge;
    for (Index i = 0; i < count; ++i) {
      if (skips && i == kEdge) {
        skip();
        i = count - kEdge;
      }
      show(i);
    }
  }

  std::string row(int axis, Index offset) const {
    const std::string indent(axis + 1, ' ');
    const std::size_t width = kColumns - axis - 1;
    std::string done, line = indent;
    const auto add = [&](const std::string& word) {
      if (line.size() > indent.size() && line.size() + word.size() > width) {
        done += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        line = indent;
      }
      line += word + " ";
    };
    for_each_shown(
        shape_[axis], [&](Index i) { add(word_(offset + i)); }, [&] { add("..."); });
    line.pop_back();
    return "[" + (done + line).substr(indent.size()) + "]";
  }

  std::string block(int axis, Index offset) const {
    const Index inner = shape_.product(axis + 1, shape_.rank());
    const std::string next =
        std::string(shape_.rank() - axis - 1, '\n') + std::string(axis + 1, ' ');
    std::string all = "[";
    const auto add = [&](const std::string& part) { all += (all.size() > 1 ? next : "") + part; };
    for_each_shown(
        shape_[axis], [&](Index i) { add(lines(axis + 1, offset + i * inner)); },
        [&] { add("..."); });
    return all + "]";
  }

  Shape shape_;
  bool shortened_;
  std::function<std::string(Index)> word_;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Tensor& x) {
  if (!x.defined()) return out << "undefined";
  if (x.rank() == 0) return out << single(x.item());
  if (x.size() == 0) return out << "[]";
  FloatFormat format;
  const Layout layout(x.shape(), [&](Index i) { return format(x.data()[i]); });
  layout.for_each([&](Index i) { format.include(x.data()[i]); });
  return out << layout.lines();
}

std::ostream& operator<<(std::ostream& out, const IndexTensor& x) {
  if (!x.defined()) return out << "undefined";
  if (x.rank() == 0) return out << *x.data();
  if (x.size() == 0) return out << "[]";
  std::size_t width = 0;
  const Layout layout(x.shape(), [&](Index i) {
    const std::string word = std::to_string(x.data()[i]);
    return std::string(width - word.size(), ' ') + word;
  });
  layout.for_each([&](Index i) { width = std::max(width, std::to_string(x.data()[i]).size()); });
  return out << layout.lines();
}

}  // namespace gradus
