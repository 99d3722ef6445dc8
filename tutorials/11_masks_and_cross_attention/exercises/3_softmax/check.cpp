#include "tutorials/common/check.h"

#include "tutorials/11_masks_and_cross_attention/exercises.h"

namespace {

gradus::Tensor row(const std::vector<double>& values) {
  return gradus::tensor({static_cast<gradus::Index>(values.size())},
                        std::vector<gradus::Scalar>(values.begin(), values.end()));
}

void check_one(const std::string& what, const std::vector<double>& scores,
               const std::vector<bool>& visible, const std::vector<double>& expected) {
  gradus::expect(what, row(my_masked_softmax(scores, visible)), row(expected), "", 1e-9);
}

}  // namespace

CHECK_ANSWER() {
  const double e = std::exp(1.0);
  check_one("three keys, all visible", {1, 0, 1}, {true, true, true},
            {e / (2 * e + 1), 1 / (2 * e + 1), e / (2 * e + 1)});
  check_one("one of three keys hidden", {1, 0, 1}, {true, true, false},
            {e / (e + 1), 1 / (e + 1), 0});
  check_one("one visible key", {5, -3}, {false, true}, {0, 1});
  check_one("scores of 10000", {1e4, 1e4, 9999}, {true, false, true},
            {e / (e + 1), 0, 1 / (e + 1)});
  check_one("a hidden score 2000 above the others", {1, 0, 2000}, {true, true, false},
            {e / (e + 1), 1 / (e + 1), 0});
  check_one("visible scores of -2000, a hidden one of 0", {-2000, 0, -2000}, {true, false, true},
            {0.5, 0, 0.5});
  check_one("visible scores of -3e9", {-3e9, 0, -3e9, -3e9}, {true, false, true, false},
            {0.5, 0, 0.5, 0});
  check_one("no visible key", {1, 2, 3}, {false, false, false}, {0, 0, 0});
}
