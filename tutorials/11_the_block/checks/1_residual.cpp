#include "autograd/random.h"
#include "nn/norm.h"
#include "tutorials/11_the_block/exercises.h"
#include "tutorials/common/check.h"

int main() {
  return run_check([] {
    const Tensor x = normal({2, 4}, {.seed = 1}, 3, 2), w = normal({4, 4}, {.seed = 2});
    const LayerNorm layer(4);
    const Function norm = [&](const Tensor& x) { return layer(x); };
    const Function branch = [&](const Tensor& x) { return matmul(x, w); };
    expect("one branch", my_pre_norm(x, norm, branch), x + branch(norm(x)),
           {{norm(x) + branch(norm(x)),
             "what goes by is the normalised x: the stream must stay as it was"},
            {norm(x + branch(x)), "that is post-norm: the norm belongs before the branch"},
            {branch(norm(x)), "nothing goes by: add x itself"}});
  });
}
