/// @file
/// The figures of the chapters: gnuplot behind a few functions.
///
/// An SVG has no background and takes the colour of lines and letters from the page, so that it
/// reads in light, in dark and on paper. The colour-blind can distinguish the colours (Okabe and
/// Ito, 2008; the scale of heatmaps is cividis: Nunez, Anderton and Renslow, 2018).
#pragma once

#include <string>
#include <vector>

#include "tutorials/common/grid.h"

namespace course {

/// One curve, or one set of points or bars.
struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  std::string style =
      "";  ///< what gnuplot draws `with`, colour included; the figure's own if empty
};

/// What stands around a figure.
struct Axes2D {
  std::string title;
  std::string x;  ///< what the horizontal axis counts
  std::string y;  ///< what the vertical one does
  bool log_x = false;
  bool log_y = false;
  bool equal = false;      ///< one unit is as long across as down
  bool key_right = false;  ///< the names beside the curves, one above the other, not below them
  bool narrow = false;     ///< as wide as a telephone: for NAME_narrow beside a figure NAME
};

/// What programs call first: puts right what the BLAS and the threads need (prepare_process()), and
/// takes the folder that figures go to, the present one if none is given.
void begin_chapter(int argc, char** argv);

/// Writes a figure that is a text already, such as a piece of HTML, under this name into the
/// folder.
void write_figure(const std::string& file_name, const std::string& content);

/// Each draws `name`.svg. They throw std::runtime_error if gnuplot is missing or fails.
void plot_lines(const std::string& name, const Axes2D& axes, const std::vector<Series>& curves);
/// Points without lines between them.
void plot_points(const std::string& name, const Axes2D& axes, const std::vector<Series>& sets);
/// Groups of bars beside each other, one group for each label.
void plot_bars(const std::string& name, const Axes2D& axes, const std::vector<std::string>& labels,
               const std::vector<Series>& sets);
/// What the colours of a heatmap say.
enum class Palette {
  kAmount,  ///< dark for the least, light for the most
  kSign,    ///< blue below 0, white at 0, red above it
};
/// A matrix [rows, columns] as coloured squares with their numbers in them where there is room. An
/// empty name leaves its row or column without one.
void plot_heatmap(const std::string& name, const std::string& title, const Grid& values,
                  const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                  Palette palette = Palette::kAmount);

/// A square of plot_cells(): what stands in it, and the number of its colour; below 0, none.
struct Cell {
  std::string text;
  int colour = -1;
};
/// Rows of squares with the name of each row before it: what lies where in memory.
void plot_cells(const std::string& name, const std::string& title,
                const std::vector<std::string>& rows, const std::vector<std::vector<Cell>>& cells);

/// The matrix in a terminal: shades of block characters, and the row's name before each.
std::string blocks(const Grid& values, const std::vector<std::string>& rows);

}  // namespace course

namespace gradus {
using namespace course;  // for chapters that are not on pocket yet
}
