/// @file
/// The loss curve as an SVG file, drawn by gnuplot.

#include "cli/run/loss_curve.h"

#include <sstream>
#include <stdexcept>
#include <system_error>

#include "cli/program/gnuplot.h"
#include "nn/text/file.h"

namespace gradus {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCurveStyle =
    R"(set terminal svg size 720,420 font 'sans-serif,13' background 'white'
set border 3 lc rgb '#606060'
set tics nomirror
set grid lc rgb '#e4e4e4' lt 1
set xlabel 'step'
set ylabel 'loss (nats per token)'
set key top right
)";

void add_data(std::ostringstream& script, const char* name,
              const std::vector<std::pair<double, double>>& points) {
  script << '$' << name << " << END\n";
  for (const auto& [step, loss] : points) {
    script << step << ' ' << loss << '\n';
  }
  script << "END\n";
}

std::string script_for(const LossHistory& history) {
  std::ostringstream script;
  script << kCurveStyle;
  std::string plot;
  const auto curve = [&](const char* name, const std::vector<std::pair<double, double>>& points,
                         const char* style) {
    if (!points.empty()) {
      add_data(script, name, points);
      plot += std::string(plot.empty() ? "plot $" : ", $") + name + " " + style;
    }
  };
  curve("batches", history.batches, "with lines lw 1 lc rgb '#b8c8dc' title 'batch'");
  curve("train", history.train,
        "with linespoints pt 7 ps 0.4 lw 2 lc rgb '#2f6fb0' title 'training'");
  curve("val", history.val,
        "with linespoints pt 7 ps 0.4 lw 2 lc rgb '#d9742b' title 'validation'");
  script << plot << '\n';
  return script.str();
}

}  // namespace

void draw_losses(const LossHistory& history, const fs::path& svg) {
  if (history.batches.empty() && history.val.empty()) {
    throw std::runtime_error("there is no loss yet to draw");
  }
  const fs::path temporary = svg.string() + ".tmp";
  const std::string picture = run_gnuplot(script_for(history));
  try {
    write_file(temporary, picture);
    fs::rename(temporary, svg);
  } catch (const std::runtime_error&) {
    std::error_code unknown;
    fs::remove(temporary, unknown);
    throw;
  }
}

}  // namespace gradus
