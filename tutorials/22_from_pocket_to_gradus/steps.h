/// @file
/// What chapter 22 asks of a whole step of training: side by side, and with each change.
#pragma once

#include <malloc.h>

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

// [side_by_side]
/// pocket's step, with what is switched on when it runs.
inline Step pocket_step(const Sizes& sizes, Remedies remedies = {}, bool reuse = false) {
  return [trained = std::make_shared<Trained>(sizes), remedies, reuse] {
    with = remedies, memory.reuse = reuse, most_a_call = remedies.cuts ? 1e6 : 1e9;
    const double loss = trained->step();
    with = {}, memory.reuse = false, most_a_call = 1e9;
    return loss;
  };
}

inline void side_by_side() {
  const Part part("side_by_side");
  const auto ms = shortest_ms({pocket_step({}), gradus_step({})}, 15);
  std::printf("pocket %5.1f ms a step\ngradus %5.1f ms a step\n%.1f times\n", ms[0], ms[1],
              ms[0] / ms[1]);
}
// [side_by_side]

// [same]
inline void same() {
  const Part part("same");
  const Step on_pocket = pocket_step({}), on_gradus = gradus_step({}),
             fused = pocket_step({}, {.fused = true}), by_vectors = pocket_step({}, kVectors),
             faster = pocket_step({}, kAll, true);
  std::printf("step  pocket  gradus  pocket, fused  vectors  all changes\n");
  for (int step = 0; step < 3; ++step) {
    std::printf("%4d  %.4f  %.4f  %13.4f  %7.4f  %11.4f\n", step, on_pocket(), on_gradus(), fused(),
                by_vectors(), faster());
  }
}
// [same]

// [work]
/// What one step of pocket does, counted.
inline Work work_of(Remedies remedies) {
  const Step step = pocket_step({}, remedies);
  step();
  const Memory before = memory;
  const Index nodes = nodes_made;
  memory.most = memory.in_use;
  step();
  Work work{0, double(nodes_made - nodes), memory.pieces - before.pieces,
            memory.most - before.in_use};
  work.operations = sum_of(products_of(step)).operations / 1e6;
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

// [pages]
inline void pages() {
  const Part part("pages");
  const Step step = pocket_step({});
  const std::vector<std::pair<const char*, Step>> rows = {
      {"malloc", step},
      {"malloc, all given back", [&] { return malloc_trim(0) + step(); }},
      {"our lists", pocket_step({}, {}, true)},
      {"gradus", gradus_step({})}};
  // In turn. The first of each two takes what the next one uses again, and does not count.
  std::vector<std::function<void()>> runs;
  for (const auto& [name, run] : rows) runs.push_back(run), runs.push_back(run);
  const std::vector<Time> times = times_of(runs, 2);
  std::printf("                        pages a step      ms  spread\n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    runs[2 * i]();
    const long before = pages_taken();
    runs[2 * i]();
    std::printf("%-24s %11ld %7.1f %7.1f\n", rows[i].first, pages_taken() - before,
                times[2 * i + 1].ms, times[2 * i + 1].spread);
  }
}
// [pages]

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
  std::vector<Time> times = times_of({in_blas(1), in_blas(all)}, 3);
  const Step one = gradus_step({}, {.threads = 1}), more = gradus_step({}, {.threads = all});
  for (const Time& time : times_of({one, more}, 5)) times.push_back(time);
  for (int i = 0; i < 4; ++i) {
    std::printf("%-21s %6d %8.1f %7.1f\n", i < 2 ? "pocket, in the BLAS" : "gradus, around it",
                i % 2 == 0 ? 1 : all, times[i].ms, times[i].spread);
  }
  one();  // and so with one thread again
  return times[0] - times[1];
}
// [threads]

// [causes]
/// The ns that fast_exp saves for each number, in all and as it is no call, and those it takes.
struct OfExponential {
  double saved, no_call, left;
};
/// The ns that a register saves for each number of a short row, and those of a sum in any order.
struct OfSum {
  double saved, left;
};

/// Known already: the ms that faster products save, and a second thread; and the above.
struct Known {
  double products;
  Time threads;
  OfExponential exponential;
  OfSum sum;
};

/// What fusing leaves out, in millions, and the ns of a piece of memory.
struct LeftOut {
  double summed, by_strides, exponentials, pieces, ns_a_piece;
};

/// The ns that one piece of memory takes, with the node around it: what fusing saves where the
/// arrays have almost no numbers.
inline double ns_a_piece() {
  const Sizes small{.channels = 4, .rows = 1, .length = 2};
  std::vector<Step> steps;
  double pieces[2];
  for (const bool fused : {false, true}) {
    Remedies remedies = kVectors;
    remedies.fused = fused;
    steps.push_back(pocket_step(small, remedies, true));
    const double before = memory.pieces;
    steps.back()(), steps.back()();
    pieces[fused] = (memory.pieces - before) / 2;
  }
  const auto ms = shortest_ms({steps[0], steps[1]}, 30);
  return 1e6 * (ms[0] - ms[1]) / (pieces[0] - pieces[1]);
}

inline LeftOut causes(const Known& known) {
  const std::vector<std::pair<const char*, Step>> all = {
      {"pocket", pocket_step({})},
      {"memory: our lists", pocket_step({}, {}, true)},
      {"  nothing, once more", pocket_step({}, {}, true)},
      {"  fused: one op each", pocket_step({}, {.fused = true}, true)},
      {"  vectors: all three", pocket_step({}, kVectors, true)},
      {"    strides alone", pocket_step({}, {.strides = true}, true)},
      {"      one at a time", pocket_step({}, {.strides = true, .singly = true}, true)},
      {"    exponentials alone", pocket_step({}, {.exponentials = true}, true)},
      {"    strides and sums", pocket_step({}, {.strides = true, .sums = true}, true)},
      {"  fused and vectors", pocket_step({}, kAll, true)},
      {"    without exponentials",
       pocket_step({}, {.fused = true, .strides = true, .sums = true}, true)},
      {"    fused, exponentials", pocket_step({}, {.fused = true, .exponentials = true}, true)},
      {"    and products cut", pocket_step({}, kAllAndCuts, true)},
      {"gradus", gradus_step({})},
      {"gradus, no fused ops", gradus_step({}, {.fused = false})}};
  // Each row is to find its memory in the caches, as in training. Where the row before it has other
  // memory, a step that does not count goes first.
  std::vector<std::function<void()>> steps;
  std::vector<std::size_t> counts;
  for (const auto& [name, step] : all) {
    if (steps.empty() || counts.size() == 1 || std::string(name) == "gradus") steps.push_back(step);
    counts.push_back(steps.size()), steps.push_back(step);
  }
  const std::vector<Time> measured = times_of(steps, 2);
  std::vector<Time> times;
  for (const std::size_t i : counts) times.push_back(measured[i]);
  const auto saved = [&](int from, int to) { return times[from] - times[to]; };
  {
    const Part part("guesses");
    const auto row = [](const char* name, const Time& ms) {
      std::printf("%-28s %+5.1f %7.1f\n", name, ms.ms, ms.spread);
    };
    std::printf("beside our lists, each saves    ms  spread\n");
    row("nothing, once more", saved(1, 2));
    row("memory: the lists", saved(0, 1));
    row("fused ops", saved(1, 3));
    row("vectors", saved(1, 4));
    row("  strides", saved(1, 5));
    row("    one number at a time", saved(1, 6));
    row("  exponentials", saved(1, 7));
    std::printf("%-28s %+5.1f\n", "products", known.products);
    row("threads", known.threads);
  }
  {
    const Part part("causes");
    std::printf("                            ms   saved  spread\n");
    for (int i = 0; i < int(all.size()); ++i) {
      std::printf("%-24s %5.1f", all[i].first, times[i].ms);
      const Time less = saved(i <= 1 ? 0 : 1, i);
      i == 0 ? std::printf("\n") : std::printf("  %+6.1f %7.1f\n", less.ms, less.spread);
      if (i == 1) std::printf("beside our lists:\n");
      if (i != 8) continue;  // measured before
      std::printf("%-24s        %+6.1f\n", "  products: all as fast", known.products);
      std::printf("%-24s        %+6.1f %7.1f\n", "  threads: two in BLAS", known.threads.ms,
                  known.threads.spread);
    }
  }
  const int pocket = 1, fused = 3, vectors = 4, strides = 5, singly = 6, exps = 7, sums = 8,
            both = 9, cut = 12, gradus = 13, composed = 14;
  struct {
    double summed, by_strides, exponentials, pieces;  // millions
  } several = {}, left = {};
  for (const bool is_fused : {false, true}) {
    const Step step = pocket_step({}, {.fused = is_fused, .strides = true, .exponentials = true});
    step();  // takes what it will use again
    const double pieces = memory.pieces;
    by_strides = summed = exponentials = 0, step();
    (is_fused ? left : several) = {summed / 1e6, by_strides / 1e6, exponentials / 1e6,
                                   (memory.pieces - pieces) / 1e6};
  }
  const double in_register = several.summed * known.sum.saved;
  {
    const Part part("ledger");
    double all = 0;
    const auto counted = [&](const char* name, double ms) {
      std::printf("%-44s %5.1f       -\n", name, ms), all += ms;
    };
    const auto row = [&](const char* name, const Time& ms, double less = 0) {
      std::printf("%-44s %5.1f %7.1f\n", name, ms.ms - less, ms.spread), all += ms.ms - less;
    };
    const double no_call = several.exponentials * known.exponential.no_call;
    const double fast = several.exponentials * known.exponential.saved;
    std::printf("what goes                                       ms  spread\n");
    counted("sums: in a register, no longer in memory", in_register);
    row("strides that are known: the loop itself", saved(pocket, singly), in_register);
    row("                        its vectors", saved(singly, strides));
    counted("exponentials: no call", no_call);
    counted("              their vectors", fast - no_call);
    row("              the loops around them", saved(pocket, exps), fast);
    row("the order of sums, rounding", saved(pocket, vectors), all);
    row("fused ops, beside all these", saved(vectors, both));
    row("what is left to gradus", saved(both, gradus));
    const Time whole = saved(pocket, gradus);
    std::printf("pocket to gradus %33.1f %7.1f\n", whole.ms, whole.spread);
    std::printf("beyond these: products cut below a million %+7.1f %7.1f\n", saved(both, cut).ms,
                saved(both, cut).spread);
  }
  {
    const Part part("both");
    const auto row = [&](const char* name, int several, int one) {
      std::printf("%-15s %14.1f %9.1f %7.1f %7.1f\n", name, times[several].ms, times[one].ms,
                  saved(several, one).ms, saved(several, one).spread);
    };
    std::printf("ms                    not fused     fused   saved  spread\n");
    row("pocket", pocket, fused);
    row("pocket, vectors", vectors, both);
    std::printf("%-15s %14.1f %9.1f %7.1f by both\n", "saved", saved(pocket, vectors).ms,
                saved(fused, both).ms, saved(pocket, both).ms);
    row("gradus", composed, gradus);
    draw_both({times[pocket].ms, times[vectors].ms, times[composed].ms},
              {times[fused].ms, times[both].ms, times[gradus].ms});
    std::printf("pocket to gradus: %.1f ms, of which fused ops and vectors save %.0f percent\n",
                saved(pocket, gradus).ms, 100 * saved(pocket, both).ms / saved(pocket, gradus).ms);
  }
  {
    const Part part("twice");
    const auto row = [&](const char* name, const Time& alone, const Time& beside) {
      const Time twice = alone - beside;
      std::printf("%-18s %7.1f %14.1f %7.1f %7.1f\n", name, alone.ms, beside.ms, twice.ms,
                  twice.spread);
    };
    std::printf("ms saved             alone   beside fused   twice  spread\n");
    row("strides and sums", saved(pocket, sums), saved(fused, 10));
    row("exponentials", saved(pocket, exps), saved(fused, 11));
    row("vectors: all", saved(pocket, vectors), saved(fused, both));
  }
  const Part part("counts");
  double all_ms = 0;
  const auto count = [&](const char* name, double before, double after, double ns) {
    const double ms = (before - after) * ns;
    std::printf("%-18s %7.2f %14.2f %6.2f %7.1f\n", name, before, after, ns, ms), all_ms += ms;
  };
  std::printf("millions               all   beside fused     ns      ms\n");
  count("summed in rows", several.summed, left.summed, known.sum.saved);
  count("others by strides", several.by_strides, left.by_strides,
        (saved(pocket, strides).ms - in_register) / several.by_strides);
  count("exponentials", several.exponentials, left.exponentials, known.exponential.saved);
  std::printf("together %48.1f\n", all_ms);
  const double ns = ns_a_piece(), fewer = several.pieces - left.pieces;
  std::printf("%-18s %7.0f %14.0f %6.0f %7.2f\n", "pieces of memory", several.pieces * 1e6,
              left.pieces * 1e6, ns, fewer * ns);
  return {several.summed - left.summed, several.by_strides - left.by_strides,
          several.exponentials - left.exponentials, fewer, ns};
}

/// The ms of what fusing leaves out, at the ns that each takes beside vectors.
inline void beside_vectors(const LeftOut& out, const Known& known, double ns_by_strides) {
  const Part part("beside_vectors");
  double all = 0;
  const auto row = [&](const char* name, double millions, double ns) {
    std::printf("%-18s %16.2f %6.2f %7.1f\n", name, millions, ns, millions * ns);
    all += millions * ns;
  };
  std::printf("beside vectors      fewer, millions     ns      ms\n");
  row("by strides", out.by_strides, ns_by_strides);
  row("summed in rows", out.summed, known.sum.left);
  row("exponentials", out.exponentials, known.exponential.left);
  const double of_pieces = out.pieces * out.ns_a_piece;
  std::printf("%-18s %16.0f %6.0f %7.1f\n", "pieces of memory", 1e6 * out.pieces, out.ns_a_piece,
              of_pieces);
  std::printf("together %41.1f\n", all + of_pieces);
}
// [causes]

// [rest]
/// What this step of pocket spends in each op, in ms.
inline Spent spent_in(const Step& step) {
  timed = true;
  mark("before"), spent.clear();
  step();
  mark("optimiser, rest");
  timed = false;
  return spent;
}

inline void rest() {
  const Part part("rest");
  const Step own = pocket_step({}), changed = pocket_step({}, kAll, true);
  const auto other = gradus_spent({});
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
  const std::size_t count = rows.size() + 1;  // the last is the step
  std::vector<std::vector<std::vector<double>>> ms(4, std::vector<std::vector<double>>(count));
  for (int time = 0; time < 5; ++time) {
    std::vector<Spent> all(3);  // of each the fastest step
    for (int round = 0; round < 3; ++round) {
      keep_faster(all[0], spent_in(own)), keep_faster(all[1], spent_in(changed));
      keep_faster(all[2], other());
    }
    for (int i = 0; i < 3; ++i) {
      double left = sum_of(all[i]);
      ms[i].back().push_back(left);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        double sum = rows[k].ops.empty() ? left : 0;
        for (const std::string& op : rows[k].ops) sum += all[i].contains(op) ? all[i].at(op) : 0;
        left -= sum, ms[i][k].push_back(sum);
      }
    }
    for (std::size_t k = 0; k < count; ++k) ms[3][k].push_back(ms[1][k].back() - ms[2][k].back());
  }
  std::vector<OfOp> spent_by_op;
  std::printf("ms                             pocket  changed  gradus    gap  spread\n");
  for (std::size_t k = 0; k < count; ++k) {
    for (auto& each : ms) std::sort(each[k].begin(), each[k].end());
    const std::vector<double>& gap = ms[3][k];
    std::printf("%-29s %7.2f %8.2f %7.2f %6.2f %7.2f\n",
                k < rows.size() ? rows[k].name.c_str() : "the step", ms[0][k][2], ms[1][k][2],
                ms[2][k][2], gap[2], gap[3] - gap[1]);
    if (k < rows.size())
      spent_by_op.push_back({rows[k].name, ms[0][k][2], ms[1][k][2], ms[2][k][2]});
  }
  draw_spent(spent_by_op);
}
// [rest]
