#include "tutorials/10_multi_head_attention/checking.h"
#include "tutorials/10_multi_head_attention/exercises.h"

CHECK_ANSWER() {
  for (const Scalar scale : {1, 30}) {
    for (const GroupedSizes& n : {GroupedSizes{2, 6, 3, 4, 5, 3, 2},
                                  {1, 4, 1, 2, 7, 5, 5},
                                  {3, 4, 4, 3, 3, 2, 6},
                                  {1, 6, 2, 1, 4, 4, 4}}) {
      compare_grouped(n, scale, {}, grouped_attention);
    }
  }
}
