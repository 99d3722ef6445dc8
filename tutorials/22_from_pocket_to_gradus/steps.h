/// @file
/// What chapter 22 asks of a whole step of training: side by side, and with each change.
#pragma once

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <thread>

#include "counted.h"
#include "faster.h"
#include "lists.h"
#include "step.h"
#include "tutorials/common/part.h"

using namespace pocket;
using course::Part;

// [pocket_step]
/// pocket's step, with what is switched on when it runs.
inline Step pocket_step(const Sizes& sizes, Remedies remedies = {}, bool reuse = false) {
  return [trained = std::make_shared<Trained>(sizes), remedies, reuse] {
    with = remedies, memory.reuse = reuse;
    const double loss = trained->step();
    with = {}, memory.reuse = false;
    return loss;
  };
}
// [pocket_step]

// [alone]
/// `malloc` gives nothing back to the system any more, so it need not ask for it again.
inline void keep_memory() {
  mallopt(M_TRIM_THRESHOLD, 1 << 30), mallopt(M_MMAP_THRESHOLD, 1 << 25);
}

/// Steps in processes of their own, as in programs that do nothing else: what one process does to
/// `malloc` would last.
struct Alone {
  enum { kMalloc, kKept, kLists, kGradus };
  std::vector<Time> ms;
  std::vector<Time> pages;  // that the system hands out for a step
};

inline Alone steps_alone() {
  const std::vector<std::function<Step()>> makes = {
      [] { return pocket_step({}); }, [] { return keep_memory(), pocket_step({}); },
      [] { return pocket_step({}, {}, true); }, [] { return gradus_step({}); }};
  std::vector<std::vector<double>> pages(makes.size()), ms(makes.size());
  for (int round = 0; round < 5; ++round) {
    for (std::size_t i = 0; i < makes.size(); ++i) {
      int ends[2];
      double found[2];
      if (pipe(ends) != 0) throw std::runtime_error("no pipe to another process");
      std::fflush(stdout);
      const pid_t child = fork();
      if (child == 0) {
        const Step step = makes[i]();
        for (int k = 0; k < 10; ++k) step();
        found[0] = double(-pages_taken());
        found[1] = shortest_ms({step}, 10)[0];  // each once, as it takes more than 1 ms
        found[0] = (found[0] + double(pages_taken())) / 10;
        _exit(write(ends[1], found, sizeof found) == sizeof found ? 0 : 1);
      }
      close(ends[1]);
      if (child < 0 || read(ends[0], found, sizeof found) != sizeof found)
        throw std::runtime_error("a step in a process of its own failed");
      close(ends[0]), waitpid(child, nullptr, 0);
      pages[i].push_back(found[0]), ms[i].push_back(found[1]);
    }
  }
  return {{ms.begin(), ms.end()}, {pages.begin(), pages.end()}};
}

inline void memory_alone(const Alone& alone) {
  const Part part("memory");
  std::printf("pocket's step, in a process of its own    ms  spread  new pages\n");
  const char* names[] = {"malloc as it is", "malloc that gives nothing back", "our lists"};
  for (int i = 0; i < 3; ++i) {
    std::printf("%-38s %5.1f %7.1f %10.0f\n", names[i], alone.ms[i].ms, alone.ms[i].spread,
                alone.pages[i].ms);
  }
}
// [alone]

// [side_by_side]
inline void side_by_side(const Alone& alone) {
  const Part part("side_by_side");
  const double pocket = alone.ms[Alone::kMalloc].ms, gradus = alone.ms[Alone::kGradus].ms;
  std::printf("pocket %5.1f ms a step\ngradus %5.1f ms a step\n%.1f times\n", pocket, gradus,
              pocket / gradus);
}
// [side_by_side]

// [same]
inline void same() {
  const Part part("same");
  const Step on_pocket = pocket_step({}), on_gradus = gradus_step({}),
             changed = pocket_step({}, kAll, true);
  std::printf("step  pocket  changed  gradus\n");
  for (int step = 0; step < 3; ++step) {
    std::printf("%4d  %.4f  %7.4f  %.4f\n", step, on_pocket(), changed(), on_gradus());
  }
}
// [same]

// [work]
/// The most memory, in MB, that f has in use at one time.
template <class F>
double most_memory(const F& f) {
  const double before = memory.in_use;
  memory.most = before;
  f();
  return memory.most - before;
}

/// What one step of pocket does, counted.
inline Work work_of(Remedies remedies) {
  const Step step = pocket_step({}, remedies);
  step();
  const double pieces = memory.pieces;
  const Index nodes = nodes_made;
  const double megabytes = most_memory(step);
  Work work{0, double(nodes_made - nodes), memory.pieces - pieces, megabytes};
  work.operations = million_operations(step);
  return work;
}

inline void work() {
  const Part part("work");
  const Work all[] = {work_of({}), work_of(kAll), gradus_work({})};
  const auto row = [&](const char* name, double Work::*count, int digits) {
    std::printf("%-34s", name);
    for (const Work& each : all) std::printf(" %8.*f", digits, each.*count);
    std::printf("\n");
  };
  std::printf("%-34s   pocket  changed   gradus\n", "");
  row("operations in products, millions", &Work::operations, 1);
  row("ops that record a node", &Work::ops, 0);
  row("pieces of memory taken", &Work::pieces, 0);
  row("most memory at one time, MB", &Work::megabytes, 1);
}
// [work]

// [threads]
/// Returns the ms that a second thread in the BLAS saves pocket.
inline Time threads() {
  const Part part("threads");
  const int all = std::max(2, int(std::thread::hardware_concurrency()));
  std::printf("                      threads      ms  spread\n");
  const auto in_blas = [](int count) {
    return [count, step = pocket_step({}, {}, true)] {
      openblas_set_num_threads(count);
      step();
      openblas_set_num_threads(1);
    };
  };
  // In turn by pairs: a thread of OpenBLAS that waits for work keeps its core from gradus's.
  std::vector<Time> times = times_of({in_blas(1), in_blas(all)}, 5);
  const Step one = gradus_step({}, {.threads = 1}), more = gradus_step({}, {.threads = all});
  for (const Time& time : times_of({one, more}, 20)) times.push_back(time);
  for (int i = 0; i < 4; ++i) {
    std::printf("%-21s %6d %8.1f %7.1f\n", i < 2 ? "pocket, in the BLAS" : "gradus, around it",
                i % 2 == 0 ? 1 : all, times[i].ms, times[i].spread);
  }
  one();  // and so with one thread again
  return times[0] - times[1];
}
// [threads]

// [causes]
/// The same step with one change, or several. `products` and `threads` are the ms that faster small
/// products and a second thread save.
inline void causes(const Alone& alone, double products, const Time& threads) {
  enum { kLists, kAgain, kFused, kSums, kStrides, kFast, kBoth, kGradus, kComposed };
  const std::vector<Step> all = {pocket_step({}, {}, true),
                                 pocket_step({}, {}, true),
                                 pocket_step({}, {.fused = true}, true),
                                 pocket_step({}, {.sums = true}, true),
                                 pocket_step({}, {.sums = true, .strides = true}, true),
                                 pocket_step({}, kFastLoops, true),
                                 pocket_step({}, kAll, true),
                                 gradus_step({}),
                                 gradus_step({}, {.fused = false})};
  // Each is to find its memory in the caches, as in training. Where the one before has other
  // memory, a step that does not count goes first.
  std::vector<std::function<void()>> steps;
  std::vector<std::size_t> counts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == kLists || i == kGradus) steps.push_back(all[i]);
    counts.push_back(steps.size()), steps.push_back(all[i]);
  }
  const std::vector<Time> measured = times_of(steps, 2);
  std::vector<Time> times;
  for (const std::size_t i : counts) times.push_back(measured[i]);
  const auto saved = [&](int from, int to) { return times[from] - times[to]; };
  {
    const Part part("guesses");
    std::printf("change                saves, ms  spread  your guess\n");
    const auto row = [](const char* name, const Time& ms) {
      std::printf("%-22s %+8.1f %7.1f  ..........\n", name, ms.ms, ms.spread);
    };
    row("memory", alone.ms[Alone::kMalloc] - alone.ms[Alone::kLists]);
    row("fused ops", saved(kLists, kFused));
    row("faster loops", saved(kLists, kFast));
    std::printf("%-22s %+8.1f       -  ..........\n", "products", products);
    row("threads", threads);
    std::printf("%-22s %+8.1f %7.1f\n", "the same step again", saved(kLists, kAgain).ms,
                saved(kLists, kAgain).spread);
    std::printf("fused ops and faster loops %+4.1f, pocket on our lists to gradus %+.1f\n",
                saved(kLists, kFused).ms + saved(kLists, kFast).ms, saved(kLists, kGradus).ms);
    if (saved(kLists, kAgain).spread > 0.5)
      std::printf("The machine is busy: these times mean little.\n");
  }
  {
    const Part part("both");
    const auto row = [&](const char* name, int several, int one) {
      std::printf("%-20s %9.1f %9.1f %7.1f %7.1f\n", name, times[several].ms, times[one].ms,
                  saved(several, one).ms, saved(several, one).spread);
    };
    std::printf("ms                    not fused     fused   saved  spread\n");
    row("pocket", kLists, kFused), row("pocket, faster loops", kFast, kBoth);
    row("gradus", kComposed, kGradus);
    std::printf("pocket with both, if savings added up %15.1f\n",
                times[kLists].ms - saved(kLists, kFused).ms - saved(kLists, kFast).ms);
    draw_both({times[kLists].ms, times[kFast].ms, times[kComposed].ms},
              {times[kFused].ms, times[kBoth].ms, times[kGradus].ms});
  }
  const Part part("ledger");
  std::printf("one change after the other            ms   saved  spread\n");
  std::printf("%-32s %7.1f\n", "pocket, on our lists", times[kLists].ms);
  int before = kLists;
  const auto row = [&](const char* name, int i) {
    const Time less = saved(before, i);
    std::printf("%-32s %7.1f %7.1f %7.1f\n", name, times[i].ms, less.ms, less.spread), before = i;
  };
  row("sums in registers", kSums), row("strides that are known", kStrides);
  row("exponentials without a call", kFast), row("fused ops", kBoth);
  row("all else: gradus", kGradus);
}
// [causes]

// [by_op]
/// What this step of pocket spends in each op, in ms.
inline Spent spent_in(const Step& step) {
  timed = true;
  mark("before"), spent.clear();
  step();
  mark("optimiser, rest");
  timed = false;
  return spent;
}

inline void by_op() {
  const Part part("by_op");
  const Step own = pocket_step({}), changed = pocket_step({}, kAll, true);
  const auto other = gradus_spent({});
  Spent all[3];  // of each the fastest step
  for (int round = 0; round < 15; ++round) {
    for (int again = 0; again < 2; ++again) keep_faster(all[0], spent_in(own));
    for (int again = 0; again < 2; ++again) keep_faster(all[1], spent_in(changed));
    for (int again = 0; again < 2; ++again) keep_faster(all[2], other());
  }
  struct Row {
    std::string name;
    std::vector<std::string> ops;
  };
  const std::vector<Row> rows = {{"matmul", {"matmul"}},
                                 {"layer_norm", {"layer_norm"}},
                                 {"softmax", {"softmax"}},
                                 {"gelu", {"gelu"}},
                                 {"cross_entropy", {"cross_entropy"}},
                                 {"add, mul: biases, scale, mask", {"add", "mul", "div"}},
                                 {"permute", {"permute"}},
                                 {"sums of gradients", {"sums of gradients", "accumulate"}},
                                 {"optimiser, all others", {}}};
  double left[3];
  for (int i = 0; i < 3; ++i) left[i] = sum_of(all[i]);
  std::vector<OfOp> spent_by_op;
  const auto print = [](const std::string& name, const double(&ms)[3]) {
    std::printf("%-29s %7.2f %8.2f %7.2f\n", name.c_str(), ms[0], ms[1], ms[2]);
  };
  std::printf("ms                             pocket  changed  gradus\n");
  for (const Row& row : rows) {
    double ms[3];
    for (int i = 0; i < 3; ++i) {
      ms[i] = row.ops.empty() ? left[i] : 0;
      for (const std::string& op : row.ops) ms[i] += all[i].contains(op) ? all[i].at(op) : 0;
      left[i] -= ms[i];
    }
    print(row.name, ms), spent_by_op.push_back({row.name, ms[0], ms[2]});
  }
  print("the step", {sum_of(all[0]), sum_of(all[1]), sum_of(all[2])});
  draw_spent(spent_by_op);
}
// [by_op]
