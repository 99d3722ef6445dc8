/// @file
/// Chapter 22: measurements of a whole training step: on both engines, and with each change.
#pragma once

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <memory>
#include <random>
#include <thread>

#include "counted.h"
#include "faster.h"
#include "lists.h"
#include "step.h"
#include "tutorials/common/part.h"

using namespace pocket;
using course::Part;

// [pocket_step]
/// pocket's step, with the changes that are switched on while it runs.
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

/// Runs f in a separate process and returns its `count` numbers.
inline std::vector<double> found_alone(std::size_t count,
                                       const std::function<std::vector<double>()>& f) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe to another process");
  std::fflush(stdout);
  std::vector<double> found(count);
  const auto bytes = ssize_t(count * sizeof(double));
  const pid_t child = fork();
  if (child == 0) _exit(write(ends[1], f().data(), std::size_t(bytes)) == bytes ? 0 : 1);
  close(ends[1]);
  if (child < 0 || read(ends[0], found.data(), std::size_t(bytes)) != bytes)
    throw std::runtime_error("a step in a process of its own failed");
  close(ends[0]), waitpid(child, nullptr, 0);
  return found;
}

/// Steps in processes of their own, as in programs that do nothing more: an effect on `malloc`
/// would last in a shared process.
struct Alone {
  // clang-format off
  enum Way {
    kMalloc, kKept, kLists, kAgain, kFused, kSums, kSumsFused, kStrides, kStridesFused, kFast,
    kBoth, kGradus, kComposed, kSingly, kSinglyFast
  };
  // clang-format on
  std::vector<Time> ms;
  std::vector<Time> pages;  // new ones in a step
  Time saved(int from, int to) const { return ms[from] - ms[to]; }
};

inline Alone steps_alone() {
  const auto on_lists = [](Remedies remedies) {
    return [remedies] { return pocket_step({}, remedies, true); };
  };
  const auto one_by_one = [](Remedies remedies) {
    return [remedies] { return memory.reuse = true, one_by_one_step(remedies); };
  };
  const std::vector<std::function<Step()>> makes = {
      [] { return pocket_step({}); },
      [] { return keep_memory(), pocket_step({}); },
      on_lists({}),
      on_lists({}),
      on_lists({.fused = true}),
      on_lists({.sums = true}),
      on_lists({.fused = true, .sums = true}),
      on_lists({.sums = true, .strides = true}),
      on_lists({.fused = true, .sums = true, .strides = true}),
      on_lists(kFastLoops),
      on_lists(kAll),
      [] { return gradus_step({}); },
      [] { return gradus_step({}, {.fused = false}); },
      one_by_one({}),
      one_by_one(kFastLoops)};
  std::vector<std::vector<double>> pages(makes.size()), ms(makes.size());
  for (int round = 0; round < 5; ++round) {
    for (std::size_t i = 0; i < makes.size(); ++i) {
      // The default malloc takes new pages in some starts and steps only, so this is the mean.
      const bool varies = i == Alone::kMalloc;
      const int starts = varies ? 4 : 1, steps = varies ? 6 : 1, times = varies ? 1 : 6;
      double sum_of_pages = 0, sum_of_ms = 0;
      for (int start = 0; start < starts; ++start) {
        const std::vector<double> found = found_alone(2, [&]() -> std::vector<double> {
          std::vector<Tensor> others;  // they move all later pieces, in each start differently
          for (Index k = 1; k < 10 * round; ++k) others.push_back(zeros({17 * k * (start + 1)}));
          const Step step = makes[i]();
          const auto several = [&] {
            for (int k = 0; k < steps; ++k) step();
          };
          for (int k = 0; k < 2; ++k) step();
          const long before = pages_taken();
          const double best = shortest_ms({several}, times)[0] / steps;  // each is more than 1 ms
          return {double(pages_taken() - before) / (times * steps), best};
        });
        sum_of_pages += found[0], sum_of_ms += found[1];
      }
      pages[i].push_back(sum_of_pages / starts), ms[i].push_back(sum_of_ms / starts);
    }
  }
  return {{ms.begin(), ms.end()}, {pages.begin(), pages.end()}};
}

/// ns to take and give back a small piece of memory.
inline double ns_of_piece(bool reuse) {
  std::vector<void*> pieces(1000);
  memory.reuse = reuse;
  const double ms = shortest_ms({[&] {
    for (void*& each : pieces) each = operator new(100);
    for (void* each : pieces) operator delete(each);
  }})[0];
  memory.reuse = false;
  return 1e6 * ms / double(pieces.size());
}

inline void memory_alone(const Alone& alone) {
  const Part part("memory");
  std::printf("pocket's step                     ms  spread  new pages  spread\n");
  const char* names[] = {"malloc as it is", "malloc that gives nothing back", "our lists"};
  for (int i = 0; i < 3; ++i) {
    std::printf("%-30s %5.1f %7.1f %10.0f %7.0f\n", names[i], alone.ms[i].ms, alone.ms[i].spread,
                alone.pages[i].ms, alone.pages[i].spread);
  }
  std::printf("a piece taken and given back: %.0f ns by malloc, %.0f on our lists\n",
              ns_of_piece(false), ns_of_piece(true));
}
// [alone]

// [side_by_side]
inline void side_by_side(const Alone& alone) {
  const Part part("side_by_side");
  const double pocket = alone.ms[Alone::kMalloc].ms, gradus = alone.ms[Alone::kGradus].ms;
  const double reused = alone.ms[Alone::kLists].ms;
  std::printf("ms a step             times gradus's\n");
  std::printf("pocket           %5.1f %9.1f\n", pocket, pocket / gradus);
  std::printf("  memory reused  %5.1f %9.1f\n", reused, reused / gradus);
  std::printf("gradus           %5.1f\n", gradus);
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

/// Counts the work of one step of pocket.
inline Work work_of_pocket() {
  const Step step = pocket_step({});
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
  const Work all[] = {work_of_pocket(), gradus_work({})};
  const auto row = [&](const char* name, double Work::*count, int digits) {
    std::printf("%-34s", name);
    for (const Work& each : all) std::printf(" %8.*f", digits, each.*count);
    std::printf("\n");
  };
  std::printf("%-34s   pocket   gradus\n", "");
  row("operations in products, millions", &Work::operations, 1);
  row("ops that record a node", &Work::ops, 0);
  row("pieces of memory taken", &Work::pieces, 0);
  row("most memory at one time, MB", &Work::megabytes, 1);
}
// [work]

// [three_lines]
/// ms of processor time with the lines of exercise 22.3: -, A, B, C and - again. Each is the median
/// of many steps. The steps take turns in random order, because the first of five may be slow.
inline std::vector<double> lines_alone(bool reuse) {
  const std::string lines = "-ABC-";
  return found_alone(lines.size(), [&] {
    memory.reuse = reuse;
    std::vector<Step> steps;
    for (const char line : lines) steps.push_back(step_with_line(line));
    std::vector<std::vector<double>> ms(lines.size());
    std::vector<std::size_t> turns = {0, 1, 2, 3, 4};
    std::mt19937 random(1);
    for (int round = 0; round < 32; ++round) {
      std::shuffle(turns.begin(), turns.end(), random);
      for (const std::size_t i : turns) {
        const std::clock_t start = std::clock();
        steps[i]();
        if (round > 1) ms[i].push_back(1e3 * double(std::clock() - start) / CLOCKS_PER_SEC);
      }
    }
    std::vector<double> medians;
    for (std::vector<double>& each : ms) {
      std::sort(each.begin(), each.end());
      medians.push_back(each[each.size() / 2]);
    }
    return medians;
  });
}
// [three_lines]

inline void three_lines(const std::vector<double>& reused, const std::vector<double>& by_malloc) {
  const Part part("three_lines");
  std::printf("ms                 a step  A saves  B saves  C saves  nothing saves\n");
  const auto row = [](const char* name, const std::vector<double>& ms) {
    const double before = (ms[0] + ms[4]) / 2;
    std::printf("%-17s %7.2f %8.2f %8.2f %8.2f %14.2f\n", name, before, before - ms[1],
                before - ms[2], before - ms[3], ms[0] - ms[4]);
  };
  row("memory used again", reused), row("malloc as it is", by_malloc);
}

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
  // In pairs: a thread of OpenBLAS that waits for work occupies a core that gradus needs.
  std::vector<Time> times = times_of({in_blas(1), in_blas(all)}, 5);
  const Step one = gradus_step({}, {.threads = 1}), more = gradus_step({}, {.threads = all});
  for (const Time& time : times_of({one, more}, 10)) times.push_back(time);
  for (int i = 0; i < 4; ++i) {
    std::printf("%-21s %6d %8.1f %7.1f\n", i < 2 ? "pocket, in the BLAS" : "gradus, around it",
                i % 2 == 0 ? 1 : all, times[i].ms, times[i].spread);
  }
  one();  // sets one thread again
  const Tensor x = ones({512, 64}), w = ones({64, 256});
  const auto product = [&](int count) {
    return [&, count] {
      openblas_set_num_threads(count);
      matmul(x, w);
    };
  };
  const std::vector<Time> alone = times_of({product(1), product(all)}, 30);
  openblas_set_num_threads(1);
  std::printf("[512, 64] times [64, 256], alone: %.3f ms, by %d threads %.3f\n", alone[0].ms, all,
              alone[1].ms);
  return times[0] - times[1];
}
// [threads]

// [causes]
/// The same step with one change, or several. `products` and `threads` are the ms that faster small
/// products and a second thread save.
inline void causes(const Alone& alone, double products, const Time& threads) {
  using enum Alone::Way;
  {
    const Part part("guesses");
    std::printf("change                saves, ms  spread  your guess\n");
    const auto row = [](const char* name, const Time& ms) {
      std::printf("%-22s %+8.1f %7.1f  ..........\n", name, ms.ms, ms.spread);
    };
    const Time fused = alone.saved(kLists, kFused), loops = alone.saved(kLists, kFast);
    const Time again = alone.saved(kLists, kAgain);
    row("memory", alone.saved(kMalloc, kLists)), row("fused ops", fused),
        row("faster loops", loops);
    std::printf("%-22s %+8.2f       -  ..........\n", "products", products);
    row("threads", threads);
    std::printf("%-22s %+8.1f %7.1f\n", "the same step again", again.ms, again.spread);
    // Memory's own spread is malloc's, also on an idle machine.
    if (std::max({fused.spread, loops.spread, threads.spread, again.spread}) > 0.5)
      std::printf("The machine is busy: these times mean little.\n");
  }
  const auto row_of_two = [&](const char* name, int before, int after) {
    const Time less = alone.saved(before, after);
    std::printf("%-28s %9.1f %9.1f %7.1f %7.1f\n", name, alone.ms[before].ms, alone.ms[after].ms,
                less.ms, less.spread);
  };
  {
    const Part part("both");
    std::printf("ms, beside                    not fused     fused   saved  spread\n");
    row_of_two("nothing else", kLists, kFused), row_of_two("sums in registers", kSums, kSumsFused);
    row_of_two("known strides, too", kStrides, kStridesFused);
    row_of_two("all faster loops", kFast, kBoth);
    std::printf(
        "pocket with both, if savings added up: %.1f\n",
        alone.ms[kLists].ms - alone.saved(kLists, kFused).ms - alone.saved(kLists, kFast).ms);
  }
  {
    const Part part("vectors");
    std::printf("ms                             none   vectors   saved  spread\n");
    row_of_two("pocket's loops", kSingly, kLists), row_of_two("faster loops", kSinglyFast, kFast);
  }
  {
    const Part part("elsewhere");
    std::printf("ms                          not fused     fused   saved  spread\n");
    row_of_two("gradus", kComposed, kGradus);
  }
  const Part part("ledger");
  std::printf("one change after the other            ms   saved  spread\n");
  std::printf("%-32s %7.1f\n", "pocket as it is", alone.ms[kMalloc].ms);
  int before = kMalloc;
  const auto row = [&](const char* name, int i) {
    const Time less = alone.saved(before, i);
    std::printf("%-32s %7.1f %7.1f %7.1f\n", name, alone.ms[i].ms, less.ms, less.spread);
    before = i;
  };
  row("memory used again", kLists), row("sums in registers", kSums);
  row("strides that are known", kStrides), row("exponentials, and their loops", kFast);
  row("fused ops", kBoth), row("all else: gradus", kGradus);
}
// [causes]

// [by_op]
/// Returns the ms that this step of pocket spends in each op.
inline Spent spent_in(const Step& step) {
  timed = true, passed = [](const char* name) { mark(name); };
  mark("before"), spent.clear();
  step();
  mark("rest");
  timed = false, passed = [](const char*) {};
  return spent;
}

/// The same ms for each row of the table, and for the whole step.
inline Spent by_row(const Spent& spent, const std::vector<std::string>& rows) {
  std::map<std::string, std::string> row_of = {{"mul", "add, mul"},
                                               {"add", "add, mul"},
                                               {"div", "add, mul"},
                                               {"accumulate", "sums of gradients"}};
  for (const std::string& row : rows) row_of.try_emplace(row, row);
  Spent sums;
  for (const auto& [op, ms] : spent) sums[row_of.contains(op) ? row_of[op] : "all others"] += ms;
  sums["the step"] = sum_of(spent);
  return sums;
}

inline void by_op() {
  const Part part("by_op");
  const auto of_pocket = [](Remedies remedies) -> std::function<Spent()> {
    return [step = pocket_step({}, remedies, true)] { return spent_in(step); };
  };
  const std::vector<std::function<Spent()>> steps = {of_pocket({}), of_pocket({.fused = true}),
                                                     of_pocket(kFastLoops), of_pocket(kAll),
                                                     gradus_spent({})};
  const std::vector<std::string> rows = {
      "matmul",  "layer_norm",        "softmax", "gelu",      "cross_entropy", "add, mul",
      "permute", "sums of gradients", "norm",    "optimiser", "all others",    "the step"};
  std::vector<std::vector<Spent>> five(steps.size());  // each from the fastest of some steps
  for (int i = 0; i < 5; ++i) {
    std::vector<Spent> best(steps.size());
    for (int round = 0; round < 4; ++round) {
      for (std::size_t k = 0; k < steps.size(); ++k) keep_faster(best[k], steps[k]());
    }
    for (std::size_t k = 0; k < steps.size(); ++k) five[k].push_back(by_row(best[k], rows));
  }
  std::printf("ms                   pocket    fused    loops  changed   gradus  spread\n");
  std::vector<OfOp> drawn;
  for (const std::string& row : rows) {
    OfOp op{row, {}};
    double spread = 0;
    for (std::vector<Spent>& of_step : five) {
      std::vector<double> ms;
      for (Spent& spent : of_step) ms.push_back(spent[row]);
      const Time time(ms);
      op.ms.push_back(time.ms), spread = std::max(spread, time.spread);
    }
    std::printf("%-18s", row.c_str());
    for (const double ms : op.ms) std::printf(" %8.2f", ms);
    std::printf(" %7.2f\n", spread);
    if (row != "the step") drawn.push_back(op);
  }
  draw_spent(drawn), draw_saved(drawn);
}
// [by_op]
