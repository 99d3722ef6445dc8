#include "cli/run/loss_chart.h"

#include <algorithm>
#include <cmath>

#include "nn/text/utf8.h"
#include "tests/autograd/expect.h"

using namespace gradus;

namespace {

constexpr char32_t kEmpty = 0x2800;
constexpr std::size_t kBefore = 9;  // "   3.00 ┤"

/// The lines of a chart without its labels and the line of steps: one row of characters per line.
std::vector<std::u32string> drawn(const LossHistory& history, std::size_t width,
                                  std::size_t height) {
  std::vector<std::u32string> rows;
  for (const std::string& line : loss_chart(history, width, height)) {
    rows.push_back(utf8_decode(line).substr(kBefore));
  }
  if (!rows.empty()) rows.pop_back();
  return rows;
}

}  // namespace

TEST_CASE("loss chart: falling losses run from the top on the left to the bottom on the right") {
  LossHistory history;
  for (int i = 0; i < 4; ++i) history.batches.emplace_back(i, 4.0 - i);
  // Two characters by two: four dots across, eight down, so losses are 7/3 dots apart.
  const std::vector<std::u32string> rows = drawn(history, kBefore + 2, 2);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == std::u32string{kEmpty + 0x01 + 0x20, kEmpty});  // dots 7 and 5 from the bottom
  CHECK(rows[1] == std::u32string{kEmpty, kEmpty + 0x02 + 0x80});  // dots 2 and 0
}

TEST_CASE("loss chart: validation is a line, and the axis has the greatest and the least loss") {
  LossHistory history;
  history.val = {{0, 3.0}, {100, 1.25}};
  const std::vector<std::string> lines = loss_chart(history, 60, 8);
  REQUIRE(lines.size() == 9);
  CHECK(lines.front().starts_with("   3.00 ┤"));
  CHECK(lines[7].starts_with("   1.25 ┤"));
  const std::vector<std::u32string> rows = drawn(history, 60, 8);
  for (std::size_t column = 0; column < rows[0].size(); ++column) {
    CAPTURE(column);
    bool is_set = false;
    for (const std::u32string& row : rows) is_set = is_set || row[column] != kEmpty;
    CHECK(is_set);
  }
  for (const std::u32string& row : rows) CHECK(row.size() == 60 - kBefore);
}

TEST_CASE("loss chart: losses that are no numbers are left out, and nothing makes no chart") {
  LossHistory history;
  CHECK(loss_chart(history, 60, 8).empty());
  history.batches = {{1, NAN}, {2, INFINITY}};
  CHECK(loss_chart(history, 60, 8).empty());
  history.batches.emplace_back(3, 2.0);
  CHECK(loss_chart(history, 10, 8).empty());  // too narrow
  const std::vector<std::string> lines = loss_chart(history, 60, 8);
  REQUIRE(lines.size() == 9);
  CHECK(lines.front().starts_with("   2.00 ┤"));
}

TEST_CASE("loss chart: a line below has the steps, and what dots and marks are where it fits") {
  LossHistory history;
  history.batches = {{0, 3}, {200, 1}};
  history.val = {{0, 3}, {100, 2.5}, {200, 1}};
  CHECK(loss_chart(history, 60, 8).back() ==
        "         0      dots: batches, o: validation       200 steps");
  CHECK(loss_chart(history, 30, 8).back() == "         0           200 steps");
  CHECK(loss_chart(history, 14, 8).back() == "         ");
  history.val.clear();
  CHECK(loss_chart(history, 60, 8).back() ==
        "         0              dots: batches              200 steps");
}

TEST_CASE("loss chart: marks the evaluations, but not the line between them") {
  LossHistory history;
  history.val = {{0, 3}, {100, 2.5}, {200, 1}};
  std::size_t marks = 0;
  const std::vector<std::u32string> rows = drawn(history, 60, 8);
  for (const std::u32string& row : rows) {
    marks += static_cast<std::size_t>(std::ranges::count(row, U'o'));
  }
  CHECK(marks == 3);
  CHECK(rows.front().front() == U'o');
  CHECK(rows.back().back() == U'o');
}
