/// @file
/// Draws random graphs of all ops and compares the engine with naive.h: values, gradients, and
/// gradients of gradients; the fused path with the composed one; one run with another.
///
///     graphs --seconds 20 --seed 3     # draws graphs for 20 seconds
///     graphs --graph 3145730           # repeats one, and prints it
///
/// In float the engine is compared with naive loops in double, with a tolerance for each graph: the
/// error of the same loops in float.

#include "tests/trust/graphs.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace gradus;
using namespace gradus::trust;

int main(int argc, char** argv) {
  double seconds = 1;
  std::uint64_t seed = 1, one = 0;
  long most = 1L << 40;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    if (flag == "--seconds") seconds = std::atof(argv[i + 1]);
    if (flag == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (flag == "--graph") one = std::strtoull(argv[i + 1], nullptr, 10);
    if (flag == "--graphs") most = std::atol(argv[i + 1]);
  }
  nearness = kIsDouble ? 1e-9 : 1e-4;
  const auto begin = std::chrono::steady_clock::now();
  long same = 0, undecided = 0, different = 0;
  for (std::uint64_t number = one != 0 ? one : seed << 24 | 1;; ++number) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (one == 0 && (passed.count() >= seconds || same + undecided >= most || different == 5))
      break;
    const Plan plan = draw(number);
    if (one != 0) std::fputs(shown(plan).c_str(), stdout);
    std::string report;
    const Verdict verdict = compare(plan, report);
    ++(verdict == Verdict::kSame ? same : verdict == Verdict::kUndecided ? undecided : different);
    if (verdict == Verdict::kDifferent) {
      std::printf("graph %llu: %s%s", static_cast<unsigned long long>(number), report.c_str(),
                  one == 0 ? shown(plan).c_str() : "");
    }
    if (one != 0) break;
  }
  std::printf("%ld graphs agree, %ld undecided\n", same, undecided);
  return different == 0 ? 0 : 1;
}
