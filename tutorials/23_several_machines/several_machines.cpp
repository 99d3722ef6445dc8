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
  const Tales tales;
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    long_run(tales);
    return 0;
  }
  opening();
  four_rows();
  halves(tales);
  const Course both = two(tales);
  drift(tales, both);
  drift_more(tales);
  bytes(tales);
  messages();
  orders();
  death(tales);
  pays(tales, sockets());
  scaling();
  step_of_64();
  answer();
}
// [main]
