#include "autograd/more/random.h"
#include "nn/layers/norm.h"
#include "tutorials/14_the_block/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

int main() {
  return run_check([] {
    const auto check = [](const std::string& what, const Shape& shape, std::uint64_t seed) {
      const Tensor x = normal(shape, {.seed = seed}, 3, 2);
      const Index channels = x.size(-1);
      const Tensor w = normal({channels, channels}, {.seed = seed + 1});
      const LayerNorm layer(channels);
      const Function norm = [&](const Tensor& x) { return layer(x); };
      const Function branch = [&](const Tensor& x) { return matmul(x, w); };
      expect(what, my_pre_norm(x, norm, branch), x + branch(norm(x)),
             {{norm(x) + branch(norm(x)),
               "what goes by is the normalised x: the stream must stay as it was"},
              {norm(x + branch(x)), "that is post-norm: the norm belongs before the branch"},
              {x + norm(branch(x)),
               "the branch's result is normalised; the norm belongs before the branch"},
              {x + branch(x), "the branch sees x as it is: normalise what it is given"},
              {branch(norm(x)), "nothing goes by: add x itself"}});
      expect_gradients(
          what, {x}, [&](const std::vector<Tensor>& x) { return my_pre_norm(x[0], norm, branch); },
          [&](const std::vector<Tensor>& x) { return x[0] + branch(norm(x[0])); });
    };
    check("two vectors of four", {2, 4}, 1);
    check("a batch of two texts of three vectors", {2, 3, 5}, 3);
  });
}
