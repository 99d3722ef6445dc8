#include "cli/run/profile_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "autograd/check.h"

namespace gradus {
using namespace detail;
namespace {

using Row = std::pair<Profile::Key, ProfileEntry>;

double seconds(const ProfileEntry& entry) {
  return std::chrono::duration<double>(entry.time).count();
}

/// The rate of an op: arithmetic per second if it has products, otherwise bytes moved per second.
std::string rate(const ProfileEntry& entry) {
  const std::uint64_t work = entry.flops > 0 ? entry.flops : entry.bytes;
  if (work == 0) {
    return "";
  }
  return fixed(1e-9 * static_cast<double>(work) / std::max(1e-9, seconds(entry)), 1) +
         (entry.flops > 0 ? " GFLOP/s" : " GB/s   ");
}

/// A count per round, shown as an integer if all rounds have the same count.
std::string mean(std::uint64_t count, std::int64_t rounds) {
  const double mean = static_cast<double>(count) / static_cast<double>(rounds);
  return fixed(mean, mean == std::round(mean) ? 0 : 2);
}

std::string columns(const std::string& name, const std::string& share, const std::string& ms,
                    const std::string& calls, const std::string& rate, const std::string& blocks) {
  std::string line(128, ' ');
  line.resize(static_cast<std::size_t>(std::max(
      0, std::snprintf(line.data(), line.size(), "  %-36s %6s %8s %6s %15s %7s", name.c_str(),
                       share.c_str(), ms.c_str(), calls.c_str(), rate.c_str(), blocks.c_str()))));
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::string name_of(const Profile::Key& key) {
  constexpr const char* kSuffixes[] = {"", " backward", " (outside)"};
  return std::string(key.second) + kSuffixes[static_cast<int>(key.first)];
}

}  // namespace

void show_profile(Display& display, const Profile& profile) {
  const std::int64_t rounds = profile.rounds();
  if (rounds == 0) {
    display.line("profile: too few steps to show (the first steps are not counted)");
    return;
  }
  const double total = std::max(1e-9, std::chrono::duration<double>(profile.time()).count());
  const auto show = [&](const std::string& name, const ProfileEntry& e, bool is_sum) {
    display.line(columns(name, fixed(100 * seconds(e) / total, 1) + "%",
                         fixed(1000 * seconds(e) / static_cast<double>(rounds), 3),
                         is_sum ? "" : mean(e.calls, rounds), is_sum && e.flops == 0 ? "" : rate(e),
                         mean(e.system_blocks, rounds)));
  };
  std::vector<Row> rows(profile.entries().begin(), profile.entries().end());
  std::ranges::stable_sort(
      rows, [](const Row& a, const Row& b) { return a.second.time > b.second.time; });
  ProfileEntry with_products, without_products, outside, all;
  display.line(text("Profile of ", counted(static_cast<long>(rounds), "step"), ", per step"), true);
  display.line(columns("", "share", "ms", "calls", "rate   ", "blocks"));
  for (const auto& [key, entry] : rows) {
    show(name_of(key), entry, false);
    all += entry;
    (key.first == ProfilePart::kOutside ? outside
     : entry.flops > 0                  ? with_products
                                        : without_products) += entry;
  }
  display.line("");
  show("ops with matrix products", with_products, true);
  show("ops without matrix products", without_products, true);
  show("outside of ops", outside, true);
  show("step", all, true);
}

void show_ranks(Display& display, const std::vector<RankTimes>& times) {
  if (times.size() < 2) {
    return;
  }
  const auto line = [&](const std::string& rank, const std::string& compute,
                        const std::string& waiting, const std::string& sums) {
    std::string cells(80, ' ');
    cells.resize(static_cast<std::size_t>(
        std::max(0, std::snprintf(cells.data(), cells.size(), "  %-6s %12s %12s %12s", rank.c_str(),
                                  compute.c_str(), waiting.c_str(), sums.c_str()))));
    display.line(cells);
  };
  display.line("");
  line("rank", "compute ms", "waiting ms", "sum ms");
  for (std::size_t i = 0; i < times.size(); ++i) {
    line(std::to_string(i), fixed(times[i].compute, 3), fixed(times[i].waiting, 3),
         fixed(times[i].sums, 3));
  }
}

}  // namespace gradus
