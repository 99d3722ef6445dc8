// Chapter 26: changes of a trained GPT: low-rank pairs, eight bits, preferences, and examples.
#include <cstring>

#include "tutorials/26_small_changes/five_seeds.h"
#include "tutorials/common/keep_memory.h"

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  const Course course(2000, 200);
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    five_seeds(course);
    return 0;
  }
  pair_by_hand(), one_pair();
  Gpt half = new_gpt(course, 1), model = translator(course, 1, half);
  learned(course, model);
  rows();
  eight_bits(course, model);
  loss_by_hand(), preferences(course, half);
  few(course, model);
}
// [main]
