#include "tutorials/common/check.h"

#include "tutorials/11_masks_and_cross_attention/exercises.h"

namespace {

void check_one(const std::string& what, const IndexTensor& documents) {
  const Index batch = documents.size(0), time = documents.size(1);
  const IndexTensor got = my_document_mask(documents);
  const Shape shape{batch, 1, time, time};
  if (got.shape() != shape) {
    gradus::red(what, ": the shape must be ", shape, ", for all heads, and is ", got.shape());
  }
  for (Index i = 0; i < got.size(); ++i) {
    const Index b = i / (time * time), t = i / time % time, s = i % time;
    const std::int32_t own = documents.data()[b * time + t], other = documents.data()[b * time + s];
    const std::int32_t expected = own == other && s <= t;
    if (got.data()[i] == expected) continue;
    gradus::red(what, ": row ", b, ", query ", t, " (document ", own, "), key ", s, " (document ",
                other, "): got ", got.data()[i], ", expected ", expected);
  }
  gradus::green(what);
}

}  // namespace

CHECK_ANSWER() {
  check_one("one document", indices({{0, 0, 0}}));
  check_one("two documents", indices({{0, 0, 1, 1, 1}}));
  check_one("two rows, cut in different ways", indices({{0, 0, 1, 1}, {0, 1, 1, 2}}));
  check_one("numbers in any order", indices({{7, 7, 3, 3, 5, 5}}));
  check_one("large numbers", indices({{1, 1, 257, 257, 65537, 65793}}));
  std::vector<std::int32_t> many;
  for (std::int32_t t = 0; t < 100; ++t) many.push_back(t / 30);
  check_one("100 positions", IndexTensor({1, 100}, many));
  const IndexTensor documents = indices({{1, 1, 1, 2, 2, 2}});
  const Tensor q = normal({1, 2, 6, 4}, {.seed = 1}), k = normal({1, 2, 6, 4}, {.seed = 2});
  const Tensor w = attention_weights(q, k, {.mask = my_document_mask(documents)});
  for (Index i = 0; i < w.size(); ++i) {
    if (i / 6 % 6 >= 3 && i % 6 < 3 && w.data()[i] != 0) {
      gradus::red("the second document attends to the first");
    }
  }
  gradus::green("two heads: no weight from one document to the other");
}
