// Chapter 23: one model, trained by several processes.
#include <cstring>

#include "drift.h"
#include "fewer_sums.h"
#include "speed.h"
#include "sums.h"
#include "tutorials/common/keep_memory.h"
#include "tutorials/common/plot.h"

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  const Fables fables;
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    long_run(fables);
    return 0;
  }
  opening();
  four_rows();
  halves(fables);
  const Course both = two(fables);
  drift(fables, both);
  drift_more(fables);
  bytes(fables);
  messages();
  orders();
  death(fables);
  pays(fables, sockets());
  scaling();
  step_of_64();
  answer();
}
// [main]
