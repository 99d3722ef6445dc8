/// @file
/// Draws the figures of the chapters with gnuplot.
///
/// An SVG has no background and takes the colour of lines and letters from the page, so that it is
/// readable in light, in dark and on paper. The colour-blind can distinguish the colours (Okabe and
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
      "";  ///< for gnuplot's `with`, including the colour; the figure's default if empty
};

/// The labels and axes around a figure.
struct Axes2D {
  std::string title;
  std::string x;  ///< the name of the horizontal axis
  std::string y;  ///< the name of the vertical axis
  bool log_x = false;
  bool log_y = false;
  bool equal = false;      ///< one unit is as long across as down
  bool key_right = false;  ///< the names beside the curves, one above the other, instead of below
  bool narrow = false;     ///< as wide as a telephone: for NAME_narrow beside a figure NAME
};

/// Programs call it first: prepares the process for the BLAS and threads (prepare_process()), and
/// takes the folder for figures from the arguments; the default is the present folder.
void begin_chapter(int argc, char** argv);

/// Writes a figure that is a text already, such as a piece of HTML, under this name into the
/// folder. Appends the name of the part that began last as a comment, so that the course's test
/// finds a figure whose part is shown from a kept run.
void write_figure(const std::string& file_name, const std::string& content);

/// These functions draw `name`.svg. They throw std::runtime_error if gnuplot is missing or fails.
void plot_lines(const std::string& name, const Axes2D& axes, const std::vector<Series>& curves);
/// Points without lines between them.
void plot_points(const std::string& name, const Axes2D& axes, const std::vector<Series>& sets);
/// Groups of bars beside each other, one group for each label.
void plot_bars(const std::string& name, const Axes2D& axes, const std::vector<std::string>& labels,
               const std::vector<Series>& sets);
/// The meaning of the colours of a heatmap.
enum class Palette {
  kAmount,  ///< dark for the least, light for the most
  kSign,    ///< blue below 0, white at 0, red above it
};
/// A matrix [rows, columns] as coloured squares, with their numbers in them if there is room. An
/// empty name leaves its row or column without a name.
void plot_heatmap(const std::string& name, const std::string& title, const Grid& values,
                  const std::vector<std::string>& rows, const std::vector<std::string>& columns,
                  Palette palette = Palette::kAmount);

/// A square of plot_cells(): its text, and the number of its colour; below 0, no colour.
struct Cell {
  std::string text;
  int colour = -1;
};
/// Rows of squares, each after the row's name: the contents of memory.
void plot_cells(const std::string& name, const std::string& title,
                const std::vector<std::string>& rows, const std::vector<std::vector<Cell>>& cells);

/// The matrix in a terminal: shades of block characters, and the row's name before each.
std::string blocks(const Grid& values, const std::vector<std::string>& rows);

}  // namespace course

namespace gradus {
using namespace course;  // for chapters that are not on pocket yet
}
