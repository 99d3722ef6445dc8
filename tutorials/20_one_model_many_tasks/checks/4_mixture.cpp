#include "tutorials/20_one_model_many_tasks/exercises.h"
#include "tutorials/common/check.h"

using gradus::green;
using gradus::red;

namespace {

std::string words(const std::vector<Index>& list) {
  std::ostringstream out;
  for (const Index n : list) out << " " << n;
  return out.str();
}

void ask(const std::string& what, const std::vector<double>& examples, double temperature,
         Index rows, const std::vector<Index>& expected, const std::string& cause) {
  const std::vector<Index> got = rows_of_tasks(examples, temperature, rows);
  if (got == expected) return green(what);
  red(what + ": got" + words(got) + ", expected" + words(expected) + "\nlikely cause: " + cause);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    ask("3000, 1000 and 1000 examples, 10 rows", {3000, 1000, 1000}, 1, 10, {6, 2, 2},
        "each task gets its share of the rows, by a power of the count, not an exponential of it");
    ask("6400 and 100 examples at temperature 2", {6400, 100}, 2, 18, {16, 2},
        "the temperature divides: the shares go by the square roots, 80 and 10");
    ask("3 and 1 examples at temperature 0.5", {3, 1}, 0.5, 10, {9, 1},
        "a temperature of 0.5 squares the counts");
    ask("shares of 3.75, 2.65 and 1.6", {75, 53, 32}, 1, 8, {4, 3, 1},
        "rounded down they are 3, 2 and 1; the rows that are left go where the largest remainder "
        "is, one each");
    ask("shares of 5.1, 1.8 and 1.1", {51, 18, 11}, 1, 8, {5, 2, 1},
        "the one row that is left goes to the largest remainder, 0.8");
    ask("3000, 1000 and 1000 examples at temperature 1000", {3000, 1000, 1000}, 1000, 12, {4, 4, 4},
        "a high temperature makes shares equal: divide by the temperature");
    ask("shares of 2.5 and 2.5", {10, 10}, 1, 5, {3, 2}, "of equal remainders the first");
    ask("a task with very few examples", {1e6, 10}, 1, 16, {16, 0},
        "a task may get none of the rows");
    ask("four shares of 0.75", {1, 1, 1, 1}, 1, 3, {1, 1, 1, 0},
        "three rows are left, one each, and of equal remainders the first");
    ask("a billion examples at temperature 0.01", {1e9, 1e9, 10}, 0.01, 8, {4, 4, 0},
        "1e9 to the power of 100 is too large for a double: divide by the largest count first");
    std::vector<double> many;
    std::vector<Index> right;
    for (int i = 0; i < 50; ++i)
      many.push_back(i < 25 ? 400 : 100), right.push_back(i < 25 ? 2 : 1);
    ask("50 tasks at temperature 2", many, 2, 75, right, "go through all tasks");
  });
}
