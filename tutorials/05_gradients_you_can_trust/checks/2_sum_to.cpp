#include <algorithm>

#include "autograd/check.h"
#include "autograd/more/random.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "tutorials/05_gradients_you_can_trust/exercises.h"
#include "tutorials/common/check.h"
#include "tutorials/common/guards.h"

using namespace gradus;

int main() {
  return run_check([] {
    const Shape pairs[][2] = {{{2, 3}, {3}},
                              {{2, 3}, {2, 3}},
                              {{2, 3}, {2, 1}},
                              {{2, 3}, {}},
                              {{2, 3, 5}, {3, 5}},
                              {{2, 3, 5}, {3, 1}},
                              {{2, 3, 5}, {1, 5}},
                              {{2, 3, 5}, {2, 1, 5}},
                              {{3, 3}, {3}},
                              {{7}, {1}},
                              {{2, 3, 5, 7}, {3, 5, 7}},
                              {{2, 3, 5}, {2, 3, 5}},
                              {{2, 3, 5, 7}, {2, 3, 1, 7}}};
    std::uint64_t seed = 0;
    for (const auto& [from, to] : pairs) {
      const Tensor x = normal(from, {.seed = ++seed}), right = sum_to(x, to);
      Tensor blocks = zeros(to), rounds = zeros(to);
      Tensor last = full(to, std::nan(""));  // which nothing is close to
      const Index copies = x.size() / right.size();
      for (Index i = 0; i < x.size(); ++i) {
        blocks.mutable_data()[i / copies] += x.data()[i];
        rounds.mutable_data()[i % right.size()] += x.data()[i];
      }
      const std::string what = detail::text("from ", from, " to ", to);
      const Tensor mine = unchanged<Tensor>(
          what, {x}, [&] { return without_ops(what, {}, [&] { return my_sum_to(x, to); }); });
      // What a stride gives that is the size of the next axis alone.
      Tensor next = zeros(to);
      for (Index i = 0; i < x.size(); ++i) {
        Index left = i, place = 0, stride = 1;
        for (int back = 1; back <= to.rank(); ++back) {
          if (to[-back] > 1) place += left % from[-back] * stride;
          left /= from[-back];
          if (to[-back] != 1) stride = to[-back];
        }
        next.mutable_data()[place] += x.data()[i];
      }
      // What = in place of += leaves is one of the elements of x at each place.
      bool picked = mine.defined() && mine.shape() == to && copies > 1;
      for (Index i = 0; picked && i < mine.size(); ++i) {
        picked = std::ranges::find(x, mine.data()[i]) != x.end();
      }
      if (picked) last = mine;
      expect(what, mine, right,
             {{right / static_cast<Scalar>(copies), "a mean: each copy's share counts in full"},
              {next,
               "the stride of an axis is the product of all later sizes, not the next size alone"},
              {last, "what came last replaced what was there: shares add"},
              {blocks,
               "neighbours were summed: right if the last axes were repeated, but shapes "
               "are not aligned at the first axis"},
              {rounds,
               "only missing axes were summed: right if the first ones were repeated, but "
               "an axis of size 1 was repeated too"}});
    }
  });
}
