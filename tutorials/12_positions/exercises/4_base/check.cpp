#include "tutorials/common/check.h"

#include "tutorials/12_positions/exercises.h"

CHECK_ANSWER() {
  const double pi = 3.14159265358979323846;
  for (const auto& [positions, channels] :
       {std::pair<Index, Index>{1000, 4}, {50, 128}, {8192, 64}, {1000000, 128}, {20, 8}}) {
    const auto what = gradus::detail::text(positions, " positions, ", channels, " channels");
    const double base = my_base(positions, channels);
    const double turned = angle(positions, channels / 2 - 1, channels, base) / pi;
    if (std::abs(turned - 1) < 1e-5) {  // 3.1416 will do
      gradus::green(what);
      continue;
    }
    gradus::red(what, ": with base ", base, " the slowest hand turns by ", turned,
                " half turns, expected 1");
  }
}
