#include "pocket/llama.h"
#include "tutorials/10_multi_head_attention/checking.h"

CHECK_ANSWER() {
  for (const pocket::Scalar scale : {1, 30}) {
    for (const GroupedSizes& n : {GroupedSizes{2, 6, 3, 4, 4, 3, 3},
                                  {1, 6, 2, 3, 3, 5, 5},
                                  {1, 4, 1, 3, 7, 5, 5},  // with a cache
                                  {3, 4, 4, 3, 3, 2, 2},
                                  {1, 6, 2, 1, 4, 4, 4}}) {
      compare_grouped(n, scale, {.causal = true}, pocket::grouped_attention);
    }
  }
}
