#include "autograd/more/random.h"
#include "nn/layers/attention.h"
#include "tutorials/10_multi_head_attention/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

int main() {
  return run_check([] {
    KeySequence keys(3);
    const MultiHeadAttention a(12, 3, keys, {});
    const Maps maps{a.query, a.key, a.value, a.output};
    const Tensor target = normal({2, 5, 12}, {.seed = 1}, 0, 2);
    const Tensor source = normal({2, 7, 12}, {.seed = 2}, 0, 2);
    const auto split = [](const Tensor& x) {
      return permute(reshape(x, {2, x.size(1), 3, 4}), {0, 2, 1, 3});
    };
    const auto mixed = [&](Scalar scale) {
      return scaled_dot_product_attention(split(a.query(target)), split(a.key(source)),
                                          split(a.value(source)), {.scale = scale});
    };
    const auto joined = [](const Tensor& x) {
      return reshape(permute(x, {0, 2, 1, 3}), {2, x.size(2), 12});
    };
    const Tensor scores = matmul(split(a.query(target)), split(a.key(source)), {.b = true}) / 2;
    const Tensor over_targets = transpose(softmax(transpose(scores)));
    expect("5 targets look at 7 sources, 3 heads", my_cross_attention(maps, 3, target, source),
           a(target, source),
           {{a.output(joined(mixed(1 / std::sqrt(Scalar(12))))),
             "the scale is that of all channels, not of a head: divide by sqrt(C / H)"},
            {a.output(joined(mixed(1))), "the scores were not divided by sqrt(D)"},
            {a.output(joined(matmul(over_targets, split(a.value(source))))),
             "the softmax ran over the targets: each query shares one whole among the keys"},
            {a(source, target), "the roles are changed: the target asks, the source answers"},
            {joined(mixed(0)), "the output map was left out"},
            {a.output(reshape(mixed(0), {2, 5, 12})),
             "heads were joined by a reshape alone: permute first"}});
    const MultiHeadAttention b(12, 2, keys, {});
    const auto mine = [&](const std::vector<Tensor>& x) {
      return my_cross_attention({b.query, b.key, b.value, b.output}, 2, x[0], x[1]);
    };
    const auto right = [&](const std::vector<Tensor>& x) { return b(x[0], x[1]); };
    expect("2 heads of 6 channels", mine({target, source}), right({target, source}));
    expect_gradients("2 heads of 6 channels", {target, source}, mine, right);
    const Tensor same = normal({1, 4, 12}, {.seed = 3});
    expect("a text that looks at itself", my_cross_attention(maps, 3, same, same), a(same, same));
  });
}
