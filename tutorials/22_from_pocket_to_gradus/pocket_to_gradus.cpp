// Chapter 22: the same step of training on pocket and on gradus, and what lies between them.
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "counted.h"
#include "faster.h"
#include "step.h"
#include "tutorials/22_from_pocket_to_gradus/figures.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"

// Written in exercise 22.6: by ./run chapter 22 --mine, the reader's own answer.
#if __has_include("22.6_blocks.cpp")
#include "22.6_blocks.cpp"
#else
#include "solutions/6_blocks.cpp"
#endif

using namespace pocket;
using course::Part;

// [new]
/// A piece of memory: what is before the bytes that `new` hands out.
struct alignas(16) Piece {
  Piece* next;              // in its list, when it is free
  std::size_t bytes, room;  // that were asked for, and that malloc gave
};

struct Memory {
  bool reuse = false;
  double pieces = 0, megabytes = 0;  // asked for
  double in_use = 0, most = 0;       // MB now, and the most so far
  Piece* free_ones[65] = {};         // list k has pieces of 2^k bytes or more
};
thread_local Memory memory;  // each thread has its own, and needs no locks

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  std::size_t room = bytes + sizeof(Piece);
  if (memory.reuse) room = std::bit_ceil(room);  // so that it fits more requests
  Piece*& first = memory.free_ones[std::bit_width(room) - 1];
  Piece* piece = memory.reuse ? first : nullptr;
  if (piece != nullptr) {
    first = piece->next;
  } else {
    piece = static_cast<Piece*>(std::malloc(room));
    piece->room = room;
  }
  piece->bytes = bytes;
  memory.pieces += 1, memory.megabytes += double(bytes) / 1e6;
  memory.in_use += double(bytes) / 1e6, memory.most = std::max(memory.most, memory.in_use);
  return piece + 1;
}

[[gnu::noinline]] void operator delete(void* bytes) noexcept {
  if (bytes == nullptr) return;
  Piece* piece = static_cast<Piece*>(bytes) - 1;
  memory.in_use -= double(piece->bytes) / 1e6;
  if (!memory.reuse) return std::free(piece);
  Piece*& first = memory.free_ones[std::bit_width(piece->room) - 1];
  piece->next = first, first = piece;
}
// [new]
void operator delete(void* bytes, std::size_t) noexcept { operator delete(bytes); }

namespace {

// [side_by_side]
/// pocket's step, with what is switched on when it runs.
Step pocket_step(const Sizes& sizes, Remedies remedies = {}, bool reuse = false) {
  return [trained = std::make_shared<Trained>(sizes), remedies, reuse] {
    with = remedies, memory.reuse = reuse;
    const double loss = trained->step();
    with = {}, memory.reuse = false;
    return loss;
  };
}

void side_by_side() {
  const Part part("side_by_side");
  const auto ms = shortest_ms({pocket_step({}), gradus_step({})}, 10);
  std::printf("pocket %5.1f ms a step\ngradus %5.1f ms a step\n%.1f times\n", ms[0], ms[1],
              ms[0] / ms[1]);
}
// [side_by_side]

// [same]
void same() {
  const Part part("same");
  const Step on_pocket = pocket_step({}), on_gradus = gradus_step({}),
             by_passes = pocket_step({}, {.passes = true}), by_vectors = pocket_step({}, kVectors),
             faster = pocket_step({}, kAll, true);
  std::printf("step  pocket  gradus  pocket with passes  vectors  all changes\n");
  for (int step = 0; step < 3; ++step) {
    std::printf("%4d  %.4f  %.4f  %18.4f  %7.4f  %11.4f\n", step, on_pocket(), on_gradus(),
                by_passes(), by_vectors(), faster());
  }
}
// [same]

// [work]
void work() {
  const Part part("work");
  Trained trained({});
  trained.step();
  const Memory before = memory;
  const Index nodes = nodes_made;
  memory.most = memory.in_use;
  trained.step();
  const double made = double(nodes_made - nodes), pieces = memory.pieces - before.pieces,
               most = memory.most - before.in_use,
               operations = sum_of(products_of([&] { trained.step(); })).operations / 1e6;
  const Work own{operations, made, pieces, most};
  const Work other = gradus_work({});
  const auto row = [](const char* name, double a, double b, int digits) {
    std::printf("%-34s %8.*f %8.*f\n", name, digits, a, digits, b);
  };
  std::printf("%-34s   pocket   gradus\n", "");
  row("operations in products, millions", own.operations, other.operations, 1);
  row("ops that record a node", own.ops, other.ops, 0);
  row("pieces of memory taken", own.pieces, other.pieces, 0);
  row("most memory at one time, MB", own.megabytes, other.megabytes, 1);
}
// [work]

// [pages]
void pages() {
  const Part part("pages");
  std::printf("                        pages a step      ms\n");
  const auto row = [](const char* name, const Step& step) {
    for (int i = 0; i < 3; ++i) step();  // takes what it will use again
    const long before = pages_taken();
    const double ms = shortest_ms({step}, 5)[0];
    std::printf("%-24s %11ld %7.1f\n", name, (pages_taken() - before) / 5, ms);
  };
  const Step step = pocket_step({});
  row("malloc", step);
  row("malloc, all given back", [&] { return malloc_trim(0) + step(); });
  row("our lists", pocket_step({}, {}, true));
  row("gradus", gradus_step({}));
}
// [pages]

// [passes]
/// What an op takes, forward and backward, in arrays of the size of x.
void passes() {
  const Part part("passes");
  Tensor x = normal({64, 32, 32}, {.seed = 1}), weight = ones({32}), bias = zeros({32});
  const Tensor dy = normal(x.shape(), {.seed = 2});
  const auto row = [&](const char* name, const std::function<Tensor()>& op) {
    std::printf("%-13s", name);
    for (const bool fused : {false, true}) {
      with.passes = fused;
      x.set_requires_grad(), weight.set_requires_grad(), bias.set_requires_grad();
      const Index nodes = nodes_made;
      const double before = memory.megabytes;
      const Tensor y = op();
      const double forward = memory.megabytes - before, one = 4e-6 * double(x.size());
      const int made = int(nodes_made - nodes);
      backward(y, y.size() > 1 ? dy : Tensor());
      const double all = memory.megabytes - before;
      std::printf("%9d %8.0f %9.0f", made, forward / one, (all - forward) / one);
    }
    std::printf("\n"), with = {};
  };
  std::printf("                         pocket                      fused\n");
  std::printf("                 nodes  forward  backward    nodes  forward  backward\n");
  row("softmax", [&] { return softmax(x); });
  row("gelu", [&] { return gelu(x); });
  row("layer_norm", [&] { return layer_norm(x, weight, bias); });
  const IndexTensor targets({64, 32}, std::vector<std::int32_t>(64 * 32, 7));
  row("cross_entropy", [&] { return cross_entropy(x, targets); });
}
// [passes]

// [vectors]
void vectors() {
  const Part part("vectors");
  const Tensor x = uniform({4096}, {.seed = 1}) * 40 - 20;
  Tensor y(x.shape());
  const auto row = [&](const char* name, auto f) {
    double error = 0;
    const double ms =
        shortest_ms({[&] { std::transform(x.begin(), x.end(), y.mutable_data(), f); }}, 30)[0];
    for (Index i = 0; i < x.size(); ++i) {
      error = std::max(error, std::abs(y.data()[i] / std::exp(double(x.data()[i])) - 1));
    }
    std::printf("%-9s %6.2f ns a number, wrong by %.0e at most\n", name, ms * 1e6 / 4096, error);
  };
  row("std::exp", [](float v) { return std::exp(v); });
  row("fast_exp", [](float v) { return fast_exp(v); });
  std::printf("fast_exp of -inf, inf and NaN: %g, %g, %g\n", fast_exp(-INFINITY),
              fast_exp(INFINITY), std::abs(fast_exp(NAN)));
  const Step step = pocket_step({}, {.exponentials = true});
  exponentials = 0, step();
  std::printf("a step takes %.2f million exponentials\n", exponentials / 1e6);
}
// [vectors]

// [sums]
void sums() {
  const Part part("sums");
  const Tensor x = uniform({512, 64}, {.seed = 1});
  const std::vector<std::pair<const char*, Remedies>> ways = {
      {"added in memory", {}},
      {"in a register, in order", {.strides = true}},
      {"in a register, any order", {.strides = true, .sums = true}}};
  for (const auto& [name, way] : ways) {
    with = way;
    const double ms = shortest_ms({[&] { sum(x, -1); }}, 30)[0];
    std::printf("%-24s %6.2f ns a number\n", name, ms * 1e6 / double(x.size()));
  }
  const Step step = pocket_step({}, kVectors);
  summed = 0, step();
  std::printf("a step sums %.2f million numbers along their rows\n", summed / 1e6);
  with = {};
}
// [sums]

// [shapes]
/// ms for so many products of these sizes, on different matrices, as in a step.
double ms_of(const Product& p, int count) {
  const Tensor x = normal({count, p.m, p.k}, {.seed = 1}),
               w = normal({count, p.k, p.n}, {.seed = 2});
  Tensor y({count, p.m, p.n});
  const blasint across_x = p.a == CblasTrans ? p.m : p.k, across_w = p.b == CblasTrans ? p.k : p.n;
  return shortest_ms({[&] {
                       for (Index i = 0; i < count; ++i) {
                         gemm(CblasRowMajor, p.a, p.b, p.m, p.n, p.k, 1, x.data() + i * p.m * p.k,
                              across_x, w.data() + i * p.k * p.n, across_w, 0,
                              y.mutable_data() + i * p.m * p.n, p.n);
                       }
                     }},
                     15)[0];
}

/// Returns the ms that small products would save if they were as fast as large ones.
double shapes() {
  const Part part("shapes");
  Trained trained({});
  std::map<bool, Products> kinds;  // of one head, or not
  for (auto [p, count] : products_of([&] { trained.step(); })) {
    const bool small = p.m * p.n * p.k <= 32 * 32 * 32;
    const int at_once = small ? 64 : 1;
    count.seconds = ms_of(p, at_once) * count.calls / at_once / 1e3;
    kinds[small] += count;
  }
  std::printf("                 calls  million operations    ms  GFLOP/s\n");
  for (const auto& [small, count] : kinds) {
    std::printf("%-16s %5.0f %19.1f %5.2f %8.1f\n", small ? "in the heads" : "linear, logits",
                count.calls, count.operations / 1e6, count.seconds * 1e3,
                count.operations / count.seconds / 1e9);
  }
  const Products large = kinds[false], small = kinds[true];
  return 1e3 * (small.seconds - large.seconds * small.operations / large.operations);
}
// [shapes]

// [cuts]
/// Returns the fastest, in GFLOP/s.
double cuts() {
  const Part part("cuts");
  const Tensor x = normal({512, 64}, {.seed = 1}), w = normal({64, 256}, {.seed = 2});
  Tensor y({512, 256});
  std::printf("rows a call  calls  GFLOP/s\n");
  double fastest = 0;
  for (const int rows : {512, 62, 61, 32, 8, 1}) {
    const double ms = shortest_ms(
        {[&] {
          for (Index i = 0; i < 512; i += rows) {
            gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, std::min<Index>(rows, 512 - i), 256, 64,
                 1, x.data() + i * 64, 64, w.data(), 256, 0, y.mutable_data() + i * 256, 256);
          }
        }},
        30)[0];
    const double speed = 2e-6 * 512 * 256 * 64 / ms;
    std::printf("%11d %6d %8.1f\n", rows, (511 + rows) / rows, speed);
    fastest = std::max(fastest, speed);
  }
  return fastest;
}
// [cuts]

// [threads]
/// Returns the ms that a second thread in the BLAS saves pocket.
double threads() {
  const Part part("threads");
  const int all = std::max(2, int(std::thread::hardware_concurrency()));
  std::printf("                      threads      ms  spread\n");
  const auto row = [](const char* name, int count, const Step& step) {
    const Time time = times_of({step}, 2)[0];
    std::printf("%-21s %6d %8.1f %7.1f\n", name, count, time.ms, time.spread);
    return time.ms;
  };
  std::vector<double> ms;
  for (const int count : {1, all}) {
    openblas_set_num_threads(count);
    ms.push_back(row("pocket, in the BLAS", count, pocket_step({}, {}, true)));
  }
  openblas_set_num_threads(1);
  for (const int count : {1, all}) {
    row("gradus, around it", count, gradus_step({}, {.threads = count}));
  }
  return ms[0] - ms[1];
}
// [threads]

// [causes]
void causes(double by_products, double by_threads) {
  const std::vector<std::pair<const char*, Step>> all = {
      {"pocket", pocket_step({})},
      {"memory: our lists", pocket_step({}, {}, true)},
      {"  nothing, once more", pocket_step({}, {}, true)},
      {"  passes: one op each", pocket_step({}, {.passes = true}, true)},
      {"  vectors: all three", pocket_step({}, kVectors, true)},
      {"    strides alone", pocket_step({}, {.strides = true}, true)},
      {"    exponentials alone", pocket_step({}, {.exponentials = true}, true)},
      {"    strides and exp.", pocket_step({}, {.strides = true, .exponentials = true}, true)},
      {"    strides and sums", pocket_step({}, {.strides = true, .sums = true}, true)},
      {"  passes and vectors", pocket_step({}, kAll, true)},
      {"gradus", gradus_step({})},
      {"gradus, no fused ops", gradus_step({}, {.fused = false})}};
  std::vector<std::function<void()>> steps;
  for (const auto& [name, step] : all) steps.push_back(step);
  const std::vector<Time> times = times_of(steps, 3);
  const auto saved = [&](int from, int to) { return times[from].ms - times[to].ms; };
  {
    const Part part("causes");
    std::printf("                            ms  spread   saved\n");
    for (int i = 0; i < int(all.size()); ++i) {
      std::printf("%-24s %5.1f %7.1f", all[i].first, times[i].ms, times[i].spread);
      i == 0 ? std::printf("\n") : std::printf("  %+6.1f\n", saved(i == 1 ? 0 : 1, i));
      if (i == 1) std::printf("beside our lists:\n");
      if (i != 8) continue;  // measured before
      std::printf("%-24s                %+6.1f\n", "  products: all as fast", by_products);
      std::printf("%-24s                %+6.1f\n", "  threads: two in BLAS", by_threads);
    }
  }
  const Part part("both");
  const auto row = [&](const char* name, double several, double one) {
    std::printf("%-15s %14.1f %9.1f %7.1f\n", name, several, one, several - one);
  };
  std::printf("ms              several passes  one pass   saved\n");
  const int pocket = 1, passes = 3, vectors = 4, both = 9, gradus = 10, composed = 11;
  row("pocket", times[pocket].ms, times.at(passes).ms);
  row("pocket, vectors", times.at(vectors).ms, times[both].ms);
  std::printf("%-15s %14.1f %9.1f %7.1f by both\n", "saved", saved(pocket, vectors),
              saved(passes, both), saved(pocket, both));
  row("gradus", times[composed].ms, times[gradus].ms);
  std::printf("pocket to gradus: %.1f ms, of which passes and vectors save %.0f percent\n",
              saved(pocket, gradus), 100 * saved(pocket, both) / saved(pocket, gradus));
}
// [causes]

// [rest]
/// What this step of pocket spends in each op, in ms.
Spent spent_in(const Step& step) {
  timed = true;
  mark("before"), spent.clear();
  step();
  mark("optimiser, rest");
  timed = false;
  return spent;
}

void rest() {
  const Part part("rest");
  const Step own = pocket_step({}), changed = pocket_step({}, kAll, true);
  const auto other = gradus_spent({});
  std::vector<Spent> all(3);  // of each the fastest step
  for (int round = 0; round < 12; ++round) {
    keep_faster(all[0], spent_in(own)), keep_faster(all[1], spent_in(changed));
    keep_faster(all[2], other());
  }
  struct Row {
    std::string name, label;
    std::vector<std::string> ops;
  };
  const std::vector<Row> rows = {{"matmul", "matmul", {"matmul"}},
                                 {"layer_norm", "norm", {"layer_norm"}},
                                 {"softmax", "softmax", {"softmax"}},
                                 {"gelu", "GELU", {"gelu"}},
                                 {"cross_entropy", "loss", {"cross_entropy"}},
                                 {"add, mul: biases, scale, mask", "add", {"add", "mul", "div"}},
                                 {"permute", "copies", {"permute"}},
                                 {"sums of gradients", "sums", {"sums of gradients", "accumulate"}},
                                 {"optimiser, all others", "others", {}}};
  std::vector<std::vector<double>> ms(3);
  for (int i = 0; i < 3; ++i) {
    double left = sum_of(all[i]);
    for (const Row& row : rows) {
      double sum = row.ops.empty() ? left : 0;
      for (const std::string& op : row.ops) sum += all[i].contains(op) ? all[i].at(op) : 0;
      left -= sum, ms[i].push_back(sum);
    }
  }
  std::vector<std::string> labels;
  const auto print = [](const std::string& name, double a, double b, double c) {
    std::printf("%-29s %7.2f %8.2f %7.2f %6.2f\n", name.c_str(), a, b, c, b - c);
  };
  std::printf("ms                             pocket  changed  gradus    gap\n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    print(rows[i].name, ms[0][i], ms[1][i], ms[2][i]), labels.push_back(rows[i].label);
  }
  print("the step", sum_of(all[0]), sum_of(all[1]), sum_of(all[2]));
  draw_rest(labels, ms);
}
// [rest]

// [roofline]
/// GB/s of y = a + b / 2 over arrays of n floats.
double bandwidth(Index n) {
  const std::vector<Scalar> a(n, 1), b(n, 1);
  std::vector<Scalar> y(n);
  const double ms = shortest_ms({[&] {
                                  for (Index i = 0; i < n; ++i) y[i] = a[i] + b[i] / 2;
                                }},
                                n > 100000 ? 3 : 200)[0];
  return 12e-6 * double(n) / ms;
}

void roofline(double peak) {
  const Part part("roofline");
  const std::vector<Measured> own = ops(), other = gradus_ops();
  std::vector<Reached> reached;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto ms = shortest_ms({own[i].run, other[i].run}, 5);
    const double millions = own[i].operations / 1e6;
    reached.push_back(
        {own[i].name, own[i].operations / own[i].bytes, millions / ms[0], millions / ms[1]});
    peak = std::max({peak, reached[i].pocket, reached[i].gradus});
  }
  const Tensor a = ones({512, 64}), b = ones({512, 64}), row = ones({4096}),
               weight = ones({4096, 4096});
  Tensor y({512, 64}), out({4096});
  const auto add_there = [&] {  // into an array that is there already
    const Scalar *from_a = a.data(), *from_b = b.data();
    Scalar* to = y.mutable_data();
    for_each_element(y.shape(), strides_of(a.shape()), strides_of(b.shape()),
                     [=](Index i, Index at_a, Index at_b) { to[i] = from_a[at_a] + from_b[at_b]; });
  };
  with.strides = true;
  const auto adds = shortest_ms({own[0].run, add_there}, 30);
  with = {};
  const double row_ms =
      shortest_ms({[&] {
                    cblas_sgemv(CblasRowMajor, CblasTrans, 4096, 4096, 1, weight.data(), 4096,
                                row.data(), 1, 0, out.mutable_data(), 1);
                  }},
                  5)[0];
  const double from_memory = bandwidth(1 << 24), from_cache = bandwidth(512 * 64);
  std::printf("products %.0f GFLOP/s; memory %.0f GB/s; a cache %.0f GB/s\n", peak, from_memory,
              from_cache);
  std::printf("ridge: %.1f operations a byte from memory, %.1f from the cache\n",
              peak / from_memory, peak / from_cache);
  std::printf("           operations a byte   line  pocket  gradus\n");
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double slope = own[i].bytes > 32e6 ? from_memory : from_cache;
    std::printf("%-10s %17.2f %6.1f %7.1f %7.1f\n", own[i].name.c_str(), reached[i].intensity,
                std::min(peak, reached[i].intensity * slope), reached[i].pocket, reached[i].gradus);
  }
  std::printf("add, pocket with known strides: %.1f; into an array that is there: %.1f\n",
              own[0].operations / adds[0] / 1e6, own[0].operations / adds[1] / 1e6);
  std::printf("large row, by the BLAS's product with a vector: %.1f\n",
              own[2].operations / row_ms / 1e6);
  draw_roofline(reached, peak, from_memory, from_cache);
}
// [roofline]

// [quadratic]
/// The most memory, in MB, that f has in use at one time.
double most_memory(const std::function<void()>& f) {
  const double before = memory.in_use;
  memory.most = before;
  f();
  return memory.most - before;
}

std::vector<Attention> quadratic() {
  const Part part("quadratic");
  std::vector<Attention> rows;
  std::printf("   T   pocket, MB   by blocks   gradus\n");
  for (const int length : {64, 128, 256, 512, 1024}) {
    std::vector<Tensor> x;
    for (std::uint64_t i = 0; i < 3; ++i)
      x.push_back(normal({4, length, 16}, {.seed = i}).set_requires_grad());
    const auto run = [&](const auto& attention, Remedies remedies = {}, bool reuse = true) {
      return [&, remedies, reuse] {
        with = remedies, memory.reuse = reuse;
        for (Tensor& each : x) each.zero_grad();
        backward(sum(attention(x[0], x[1], x[2])));
        with = {}, memory.reuse = false;
      };
    };
    const auto of_pocket = [](const Tensor& q, const Tensor& k, const Tensor& v) {
      return scaled_dot_product_attention(q, k, v, {.causal = true});
    };
    const std::vector<std::function<void()>> all = {
        run(of_pocket), run(attention_by_blocks), gradus_attention(length),
        run(of_pocket, {}, false), run(attention_by_blocks, kAll)};
    Attention row{length, shortest_ms(all, 3), {}, {}, 0, -pages_taken()};
    all[3](), row.pages += pages_taken();
    for (const auto& each : {all[0], all[1]}) {
      row.mb.push_back(most_memory(each));
      row.operations.push_back(sum_of(products_of(each)).operations / 1e6);
    }
    std::map<Product, Products> fastest;  // of each size
    for (int round = 0; round < 3; ++round) {
      for (const auto& [sizes, count] : products_of(all[4])) {
        double& seconds = fastest.try_emplace(sizes, count).first->second.seconds;
        seconds = std::min(seconds, count.seconds);
      }
    }
    row.in_products = 1e3 * sum_of(fastest).seconds;
    row.mb.push_back(gradus_most(all[2]));
    if (length == 1024) {  // the last: malloc shall give nothing back to the system
      mallopt(M_TRIM_THRESHOLD, 1 << 30), mallopt(M_MMAP_THRESHOLD, 1 << 30);
      all[3](), row.kept_pages = -pages_taken();
      row.kept_ms = shortest_ms({all[3]}, 2)[0], row.kept_pages += pages_taken();
    }
    std::printf("%4d %12.2f %11.2f %8.2f\n", length, row.mb[0], row.mb[1], row.mb[2]);
    rows.push_back(row);
  }
  draw_quadratic(rows);
  return rows;
}
// [quadratic]

// [quadratic_time]
void quadratic_time(const std::vector<Attention>& rows) {
  const Part part("quadratic_time");
  std::printf("      operations, millions         with malloc            ms with our lists\n");
  std::printf(
      "   T    pocket  by blocks    pages     ms  us a page   pocket  by blocks  changed  products "
      " "
      "gradus\n");
  for (const Attention& row : rows) {
    std::printf("%4d %9.1f %10.1f %8ld %6.1f", row.length, row.operations[0], row.operations[1],
                row.pages, row.ms[3]);
    row.pages < 1000 ? std::printf("          -")
                     : std::printf(" %10.1f", 1e3 * (row.ms[3] - row.ms[0]) / double(row.pages));
    std::printf(" %8.2f %10.2f %8.2f %9.2f %7.2f\n", row.ms[0], row.ms[1], row.ms[4],
                row.in_products, row.ms[2]);
  }
  std::printf("malloc that gives nothing back to the system, T = %d: %ld pages, %.1f ms\n",
              rows.back().length, rows.back().kept_pages, rows.back().kept_ms);
}
// [quadratic_time]

}  // namespace

// [main]
int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  side_by_side(), same(), work(), pages(), passes(), vectors(), sums();
  const double by_products = shapes();
  const double fastest = cuts();
  causes(by_products, threads());
  rest(), roofline(fastest), quadratic_time(quadratic());
}
// [main]
