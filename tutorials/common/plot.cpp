#include "tutorials/common/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "cli/program/gnuplot.h"
#include "cli/program/prepare_process.h"
#include "tutorials/common/part.h"

namespace course {
namespace {

std::string& folder() {
  static std::string path = ".";
  return path;
}

constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73",
                                    "#CC79A7", "#E69F00", "#56B4E9"};

/// The size of a plot with axes. At this width, a phone of 390 pixels shows letters of 14 as 9
/// pixels.
constexpr int kAcross = 600, kDown = 380, kNarrow = 340, kNarrowDown = 480;

/// A few colours of cividis, from low to high.
constexpr const char* kCividis =
    "0 '#00224e', 0.25 '#434e6c', 0.5 '#7d7c78', 0.75 '#bcae6c', 1 '#fee838'";
constexpr const char* kBlueToRed =
    "0 '#053061', 0.25 '#4393c3', 0.5 '#f7f7f7', 0.75 '#d6604d', 1 '#67001f'";

std::string quoted(const std::string& words) {
  std::string out;
  for (const char c : words) {
    out += c == '\'' ? std::string("''") : std::string(1, c);
  }
  return "'" + out + "'";
}

/// gnuplot has no colour "as the text around it", and SVG has: black stands for it until here.
std::string with_page_colours(std::string svg) {
  const auto replace_all = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = svg.find(from, at)) != std::string::npos; at += to.size()) {
      svg.replace(at, from.size(), to);
    }
  };
  replace_all("rgb(  0,   0,   0)", "currentColor");
  replace_all("fill=\"black\"", "fill=\"currentColor\"");
  replace_all("color=\"black\"", "color=\"currentColor\"");
  replace_all("stroke='black'", "stroke='currentColor'");
  replace_all("<image ", "<image style='image-rendering:pixelated' ");
  const std::size_t open = svg.find('>', svg.find("<svg"));
  if (open != std::string::npos) {
    svg.insert(open + 1,
               "\n<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}"
               "@media print{svg{color:#000}}</style>");
  }
  return svg;
}

void draw(const std::string& name, const std::string& script, int width, int height) {
  std::ostringstream head;
  head << "set terminal svg size " << width << ',' << height << " font 'sans-serif,14'\n";
  try {
    write_figure(name + ".svg", with_page_colours(gradus::run_gnuplot(head.str() + script)));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("figures: " + name + ".svg: " + error.what());
  }
}

/// The names of a heatmap's rows or columns at 0, 1, 2 ..., as gnuplot takes them.
std::string tics(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) {
      out += (out.empty() ? "" : ", ") + quoted(names[i]) + " " + std::to_string(i);
    }
  }
  return "(" + out + ")";
}

std::string frame(const Axes2D& axes) {
  std::ostringstream out;
  out << "set title " << quoted(axes.title) << "\nset xlabel " << quoted(axes.x) << "\nset ylabel "
      << quoted(axes.y) << "\nset border 3\nset tics nomirror\nset key "
      << (axes.key_right ? "outside right center vertical" : "below height 1")
      << " reverse Left samplen 2\n";
  return out.str();
}

/// A logarithmic axis, 'x' or 'y', for these numbers: with powers of ten where they would be long.
std::string log_axis(char axis, double least, double most) {
  const bool is_long = least < 1e-3 || most > 1e5;
  std::ostringstream out;
  out << "set logscale " << axis << "\nset format " << axis
      << (is_long ? " '10^{/=14 %T}'" : " '%g'") << '\n';
  if (is_long || most > 1e3 * least) out << "unset m" << axis << "tics\n";
  return out.str();
}

/// The logarithmic axes of curves. The one across ends where they do, and names their places if
/// those are few.
std::string log_axes(const Axes2D& axes, const std::vector<Series>& all) {
  std::set<double> xs, ys;
  for (const Series& series : all) {
    xs.insert(series.x.begin(), series.x.end());
    ys.insert(series.y.begin(), series.y.end());
  }
  std::ostringstream out;
  if (axes.log_x && !xs.empty()) {
    out << log_axis('x', *xs.begin(), *xs.rbegin()) << "set xrange [" << *xs.begin() / 1.1 << ':'
        << *xs.rbegin() * 1.1 << "]\n";
    if (xs.size() <= 8 && *xs.rbegin() <= 1e5) {
      out << "set xtics (";
      for (const double x : xs) out << (x == *xs.begin() ? "" : ", ") << x;
      out << ")\n";
    }
  }
  if (axes.log_y && !ys.empty()) {
    out << log_axis('y', *ys.begin(), *ys.rbegin());
  }
  return out.str();
}

void plot_xy(const std::string& name, const Axes2D& axes, const std::vector<Series>& all,
             const std::string& style) {
  std::ostringstream script, plot;
  script << frame(axes) << log_axes(axes, all);
  if (axes.equal) script << "set size ratio -1\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    must(all[i].x.size() == all[i].y.size(), "plot: " + all[i].name + ": as many x as y");
    script << "$s" << i << " << END\n";
    for (std::size_t k = 0; k < all[i].x.size(); ++k) {
      script << all[i].x[k] << ' ' << all[i].y[k] << '\n';
    }
    script << "END\n";
    const std::string own = style + " lc rgb '" + kColours[i % std::size(kColours)] + "'";
    plot << (i == 0 ? "plot " : ", ") << "$s" << i << " with "
         << (all[i].style.empty() ? own : all[i].style) << " title " << quoted(all[i].name);
  }
  const int across = axes.narrow ? kNarrow : kAcross;
  const int down = axes.equal ? across : axes.narrow ? kNarrowDown : kDown;
  draw(name, script.str() + plot.str() + "\n", across, down);
}

}  // namespace

void begin_chapter(int argc, char** argv) {
  gradus::prepare_process(argv);
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // in a pipe too, a line is shown when it is there
  if (argc > 1) {
    folder() = argv[1];
  }
}

void write_figure(const std::string& file_name, const std::string& content) {
  std::ofstream out(folder() + "/" + file_name);
  out << content;
  if (!latest_part.empty()) {
    out << "<!-- of the part " << latest_part << " -->\n";
  }
}

void plot_lines(const std::string& name, const Axes2D& axes, const std::vector<Series>& curves) {
  const bool is_dense =
      std::ranges::any_of(curves, [](auto& curve) { return curve.x.size() > 60; });
  plot_xy(name, axes, curves, is_dense ? "lines lw 2.5" : "linespoints pt 7 ps 0.5 lw 2.5");
}

void plot_points(const std::string& name, const Axes2D& axes, const std::vector<Series>& sets) {
  plot_xy(name, axes, sets, "points pt 7 ps 0.7");
}

void plot_bars(const std::string& name, const Axes2D& axes, const std::vector<std::string>& labels,
               const std::vector<Series>& sets) {
  std::ostringstream script, plot;
  script << frame(axes) << log_axes(axes, sets)
         << "set style data histograms\nset style fill solid 0.9 noborder\nset xtics scale 0\n";
  if (!axes.log_y) {
    script << "set yrange [*<0:0<*]\n";  // a bar is as long as its number
  }
  script << "$d << END\n";
  for (std::size_t k = 0; k < labels.size(); ++k) {
    script << '"' << labels[k] << '"';
    for (const Series& set : sets) {
      script << ' ' << set.y.at(k);
    }
    script << '\n';
  }
  script << "END\n";
  for (std::size_t i = 0; i < sets.size(); ++i) {
    plot << (i == 0 ? "plot " : ", ") << "$d using " << i + 2 << (i == 0 ? ":xtic(1)" : "")
         << " lc rgb '" << kColours[i % std::size(kColours)] << "' title " << quoted(sets[i].name);
  }
  draw(name, script.str() + plot.str() + "\n", kAcross, kDown);
}

void plot_heatmap(const std::string& name, const std::string& title, const Grid& values,
                  const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                  Palette palette) {
  const std::int64_t down = values.size(0), across = values.size(1);
  must(std::ssize(rows) == down && std::ssize(columns) == across,
       "plot_heatmap: " + name + " needs a name for each row and column");
  const auto [low, high] = std::minmax_element(values.values.begin(), values.values.end());
  const double middle = (double{*low} + *high) / 2;
  const bool sign = palette == Palette::kSign;
  const double most = std::max(std::abs(*low), std::abs(*high));
  std::ostringstream script, dark;
  const bool numbers = down <= 12 && across <= 12;
  if (numbers) script << "unset colorbox\n";  // leaves its place to the squares
  if (sign) {
    script << "set cbrange [" << -most << ':' << most << "]\n";
    dark << "abs($3) > " << 0.6 * most;
  } else {
    dark << "$3 < " << middle;
  }
  script << "set title " << quoted(title)
         << " offset 0,0.5\nunset key\nset border 0\nset tics scale 0\n"
         << "set palette defined (" << (sign ? kBlueToRed : kCividis) << ")\nset size ratio "
         << double(down) / double(across) << "\nset xtics " << tics(columns)
         << "\nset x2range [-0.5:" << across - 0.5 << "]\nset xrange [-0.5:" << across - 0.5
         << "]\nset yrange [" << down - 0.5 << ":-0.5]\nset ytics " << tics(rows)
         << "\n$d << END\n";
  for (std::int64_t i = 0; i < down; ++i) {
    for (std::int64_t j = 0; j < across; ++j) {
      script << j << ' ' << i << ' ' << values.values[static_cast<std::size_t>(i * across + j)]
             << '\n';
    }
  }
  // Many squares are one picture, few are shapes that stay sharp at any size.
  script << "END\nplot $d using 1:2:3 with image" << (down * across > 600 ? "" : " pixels");
  if (numbers) {
    // Light numbers on dark squares, dark ones on light squares.
    script << ", $d using 1:2:(" << dark.str()
           << " ? sprintf('%.2f', $3) : '') with labels tc rgb '#ffffff', $d using 1:2:("
           << dark.str() << " ? '' : sprintf('%.2f', $3)) with labels tc rgb '#101010'";
  }
  const int around = 190;
  const auto side = static_cast<int>(std::clamp<std::int64_t>(64 * across, 300, kAcross - around));
  draw(name, script.str() + "\n", side + around, static_cast<int>(side * down / across) + 110);
}

void plot_cells(const std::string& name, const std::string& title,
                const std::vector<std::string>& rows, const std::vector<std::vector<Cell>>& cells) {
  must(rows.size() == cells.size(), "plot_cells: " + name + " needs a name for each row");
  std::ostringstream script, words;
  std::size_t across = 1, letters = 0;
  script << "set title " << quoted(title) << "\nunset key\nset border 0\nset tics scale 0\n"
         << "set size ratio -1\nunset xtics\nset ytics (";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    script << (i > 0 ? ", " : "") << quoted(rows[i]) << ' ' << i;
    letters = std::max(letters, rows[i].size());
  }
  script << ")\n";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    across = std::max(across, cells[i].size());
    for (std::size_t j = 0; j < cells[i].size(); ++j) {
      const auto& [text, colour] = cells[i][j];
      if (colour >= 0) {  // thin enough a colour for letters of the page's, dark or light
        script << "set object rect center " << j << ',' << i << " size 0.92,0.92 fc rgb '"
               << kColours[static_cast<std::size_t>(colour) % std::size(kColours)]
               << "' fillstyle transparent solid 0.35 noborder\n";
      }
      words << j << ' ' << i << " \"" << text << "\"\n";
    }
  }
  script << "set xrange [-0.6:" << double(across) - 0.4 << "]\nset yrange ["
         << double(rows.size()) - 0.4 << ":-0.6]\n$words << END\n"
         << words.str() << "END\nplot $words using 1:2:3 with labels font ',12'\n";
  const int side = static_cast<int>(std::clamp<std::size_t>(400 / across, 26, 40));
  draw(name, script.str(), side * static_cast<int>(across) + 8 * static_cast<int>(letters) + 60,
       side * static_cast<int>(rows.size()) + 70);
}

std::string blocks(const Grid& values, const std::vector<std::string>& rows) {
  constexpr const char* kShades[] = {"  ", "░░", "▒▒", "▓▓", "██"};
  const auto [low, high] = std::minmax_element(values.values.begin(), values.values.end());
  const double range = *high > *low ? double{*high} - *low : 1;
  std::size_t width = 0;
  for (const std::string& row : rows) {
    width = std::max(width, row.size());
  }
  std::string out;
  for (std::int64_t i = 0; i < values.size(0); ++i) {
    const std::string& row = rows[static_cast<std::size_t>(i)];
    out += std::string(width - row.size(), ' ') + row + " ";
    for (std::int64_t j = 0; j < values.size(1); ++j) {
      const double share =
          (double{values.values[static_cast<std::size_t>(i * values.size(1) + j)]} - *low) / range;
      out += kShades[std::min(static_cast<int>(share * 5), 4)];
    }
    out += "\n";
  }
  return out;
}

}  // namespace course
