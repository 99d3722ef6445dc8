
#include "tutorials/10_multi_head_attention/exercises.h"
#include "tutorials/common/check.h"

int main() {
  using gradus::green, gradus::red;
  return gradus::run_check([] {
    const auto check_one = [](Index c, int heads, Index key_dim, Index value_dim, bool bias) {
      KeySequence keys(1);
      MultiHeadAttention attention(c, heads, keys, {.key_dim = key_dim, .value_dim = value_dim},
                                   bias);
      const Index right = count(parameters(attention));
      const Index got = my_parameter_count(c, heads, key_dim, value_dim, bias);
      const std::string what = std::to_string(c) + " channels, " + std::to_string(heads) +
                               " heads of " + std::to_string(key_dim) + " and " +
                               std::to_string(value_dim) + (bias ? ", biases" : ", no biases");
      if (got == right) return green(what);
      const Index k = heads * key_dim, v = heads * value_dim, slice = c / heads;
      std::string cause;
      if (got == 2 * c * k + c * v + (bias ? 2 * k + v : 0)) {
        cause = "\nlikely cause: the output map is missing";
      } else if (got ==
                 heads * slice * (2 * key_dim + value_dim) + v * c + (bias ? 2 * k + v + c : 0)) {
        cause = "\nlikely cause: each head sees all channels, not a slice of them";
      } else if (got == 4 * c * c + (bias ? 4 * c : 0)) {
        cause = "\nlikely cause: key_dim and value_dim need not be channels / heads";
      } else if (bias && (got == 2 * c * k + 2 * c * v + 4 * c || (k == c && v == c))) {
        cause = "\nlikely cause: the biases are not counted right: one for each output of each map";
      }
      red(what + "\ngot " + std::to_string(got) + ", expected " + std::to_string(right) + cause);
    };
    check_one(12, 3, 4, 4, false);
    check_one(12, 3, 4, 4, true);
    check_one(10, 2, 3, 6, true);
    check_one(64, 8, 8, 16, false);
  });
}
