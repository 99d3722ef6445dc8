#include "autograd/ops/matmul.h"
#include "autograd/ops/random.h"
#include "autograd/ops/softmax.h"
#include "tutorials/09_self_attention/exercises.h"
#include "tutorials/common/count_new.h"

namespace {

using Scores = std::vector<Scalar>;

/// A query: the scores of its keys, their values, and the numbers that it keeps of them.
struct Query {
  Query(const Scores& scores, gradus::Index width, std::uint64_t seed = 3)
      : scores(scores),
        values(gradus::normal({std::ssize(scores), width}, {.seed = seed})),
        running(nothing_seen(width)) {}
  void see_key(const std::string& what, gradus::Index s) {
    const gradus::Index width = values.size(1);
    const Scores value(values.data() + s * width, values.data() + (s + 1) * width);
    const Scores before = value;
    gradus::no_memory(what, [&] { see(running, scores[static_cast<std::size_t>(s)], value); });
    if (value != before) gradus::red(what, ": see() has changed the value");
    if (std::ssize(running) > width + 2) {
      gradus::red(what, ": ", running.size(), " numbers are kept of values of ", width,
                  "; width + 2 are enough");
    }
  }
  void must_answer(const std::string& what) const {
    const auto y = answer(running);
    if (std::ssize(y) != values.size(1)) {
      gradus::red(what, ": answer() must have ", values.size(1), " numbers, got ", y.size());
    }
    const auto row = [](const Scores& x) { return gradus::tensor({1, std::ssize(x)}, x); };
    gradus::must_be_close(what, row(y), gradus::matmul(gradus::softmax(row(scores)), values));
  }
  Scores scores;
  gradus::Tensor values;
  Running running;
};

void try_one(const std::string& what, const Scores& scores, gradus::Index width) {
  Query query(scores, width);
  for (gradus::Index s = 0; s < std::ssize(scores); ++s) query.see_key(what, s);
  query.must_answer(what);
}

}  // namespace

CHECK_ANSWER() {
  try_one("one key", {0.5}, 3);
  try_one("scores that fall", {2, 1, 0.5, -1}, 3);
  try_one("scores that rise", {-1, 0.5, 1, 2}, 3);
  try_one("scores in any order", {0.3f, -2, 1.7f, 0, 1.7f, 3}, 5);
  gradus::green("scores that fall, rise, or do neither");
  try_one("scores of 10000", {10000, 9999, 10001}, 2);
  try_one("scores of -10000", {-10000, -9999, -10001}, 2);
  try_one("scores of -1000000", {-1000000, -999999, -1000001}, 2);
  gradus::green("scores of 10000, -10000 and -1000000");
  Scores below(1000, -10);  // each counts for little, all of them for 4%
  below.front() = 0;
  try_one("999 keys 10 below the first", below, 3);
  gradus::green("999 keys 10 below the first");
  try_one("a first score far below", {0, 200, -50}, 3);
  try_one("a first score very far below", {-10000, 0, 10000}, 3);
  gradus::green("a first score far below the largest");
  try_one("a hidden key last", {1, 2, -INFINITY}, 4);
  try_one("a hidden key first", {-INFINITY, 1, 2}, 4);
  try_one("two hidden keys first", {-INFINITY, -INFINITY, -20000}, 4);
  gradus::green("hidden keys");
  Query one({3, -1, 2}, 3), other({-200, 100, 50}, 3, 4);
  for (gradus::Index s = 0; s < 3; ++s) {
    one.see_key("two queries in turn", s), other.see_key("two queries in turn", s);
  }
  one.must_answer("two queries in turn"), other.must_answer("two queries in turn");
  gradus::green("two queries in turn");
  try_one("no visible key", {-INFINITY}, 4);
  try_one("no visible key of two", {-INFINITY, -INFINITY}, 4);
  gradus::green("no visible key: zeros");
}
