#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "autograd/check.h"
#include "cli/attention/explorer.h"
#include "cli/attention/map.h"
#include "cli/program/display.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

using Colour = std::array<int, 3>;

/// Viridis (van der Walt and Smith, 2015) at nine points.
constexpr std::array<Colour, 9> kViridis = {{{68, 1, 84},
                                             {71, 45, 123},
                                             {59, 82, 139},
                                             {44, 114, 142},
                                             {33, 145, 140},
                                             {40, 174, 128},
                                             {94, 201, 98},
                                             {173, 220, 48},
                                             {253, 231, 37}}};
constexpr int kLevels = 32;  // colours; the cells of a level are one path

/// The page follows the viewer's choice of light or dark.
constexpr const char* kStyle =
    "<style>\n"
    "text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#222}\n"
    ".title,.note{font-family:system-ui,'DejaVu Sans',sans-serif}\n"
    ".title{font-weight:600}.note{fill:#555}\n"
    ".page{fill:#fff}.frame{fill:none;stroke:#888}\n"
    ".cells rect{fill:transparent}.cells rect:hover{fill:#8888}\n"
    "@media (prefers-color-scheme:dark){text{fill:#eee}.note{fill:#aaa}.page{fill:#16181d}"
    ".frame{stroke:#777}}\n"
    "</style>\n";

std::string colour_of(int level) {
  const double place = static_cast<double>(level) / (kLevels - 1) * (kViridis.size() - 1);
  const auto from = std::min(static_cast<std::size_t>(place), kViridis.size() - 2);
  const double share = place - static_cast<double>(from);
  std::string colour = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    const double value = kViridis[from][i] * (1 - share) + kViridis[from + 1][i] * share;
    const int byte = static_cast<int>(std::lround(value));
    colour += "0123456789abcdef"[byte / 16];
    colour += "0123456789abcdef"[byte % 16];
  }
  return colour;
}

std::string number(double value) {
  std::string digits = fixed(value, 1);
  return digits.ends_with(".0") ? digits.substr(0, digits.size() - 2) : digits;
}

/// Draws cells as one path for each level, and a run of equal cells as one rectangle. The unit is a
/// cell. Leaves out cells with a level below 0.
template <class LevelOf>
std::string cells(Index rows, Index columns, LevelOf level_of,
                  std::string (*colour)(int) = colour_of) {
  std::map<int, std::string> paths;
  for (Index t = 0; t < rows; ++t) {
    for (Index s = 0; s < columns;) {
      const int level = level_of(t, s);
      Index end = s + 1;
      while (end < columns && level_of(t, end) == level) {
        ++end;
      }
      if (level >= 0) {
        paths[level] += text("M", s, " ", t, "h", end - s, "v1h-", end - s, "z");
      }
      s = end;
    }
  }
  std::string out;
  for (const auto& [level, path] : paths) {
    out += "<path fill=\"" + colour(level) + "\" d=\"" + path + "\"/>\n";
  }
  return out;
}

/// The level of a brightness from 0 to 1.
int level_at(double share) { return static_cast<int>(share * (kLevels - 1) + 0.5); }

/// White for level 0, nearly black for the highest level.
std::string grey_of(int level) {
  const int byte = 255 - 235 * level / (kLevels - 1);
  return text("rgb(", byte, ",", byte, ",", byte, ")");
}

/// Scales a cell to `cell` pixels, and draws a frame around all cells.
std::string framed(const std::string& paths, Index rows, Index columns, double x, double y,
                   double cell) {
  return text("<g transform=\"translate(", number(x), " ", number(y), ") scale(", cell,
              ")\" shape-rendering=\"crispEdges\">\n", paths, "</g>\n",
              "<rect class=\"frame\" x=\"", number(x), "\" y=\"", number(y), "\" width=\"",
              number(cell * static_cast<double>(columns)), "\" height=\"",
              number(cell * static_cast<double>(rows)), "\"/>\n");
}

/// Titles that a browser shows for the cell under the pointer: `fox attends to The: 0.12`. Empty
/// for large maps, because the titles would make up most of the file.
std::string titles(const LayerAttention& layer, const AttentionHead& head) {
  constexpr Index kMostCells = 10'000;
  std::string out;
  if (head.rows() * head.columns() > kMostCells) return out;
  for (Index t = 0; t < head.rows(); ++t) {
    for (Index s = 0; s < head.columns(); ++s) {
      if (head.is_hidden(t, s)) continue;
      out += text("<rect x=\"", s, "\" y=\"", t, "\" width=\"1\" height=\"1\"><title>",
                  html_escaped(layer.rows[static_cast<std::size_t>(t)]), " attends to ",
                  html_escaped(layer.columns[static_cast<std::size_t>(s)]), ": ",
                  fixed(head.at(t, s), 2), "</title></rect>\n");
    }
  }
  return "<g class=\"cells\">\n" + out + "</g>\n";
}

std::string map_at(const LayerAttention& layer, const AttentionHead& head, double x, double y,
                   double cell) {
  const auto level_of = [&](Index t, Index s) {
    return head.is_hidden(t, s) ? -1 : level_at(head.brightness(t, s));
  };
  return framed(cells(head.rows(), head.columns(), level_of) + titles(layer, head), head.rows(),
                head.columns(), x, y, cell);
}

std::string page(double width, double height) {
  const std::string size = "width=\"" + number(width) + "\" height=\"" + number(height) + "\"";
  return text("<svg xmlns=\"http://www.w3.org/2000/svg\" ", size, " viewBox=\"0 0 ", number(width),
              " ", number(height), "\">\n", kStyle, "<rect class=\"page\" ", size, "/>\n");
}

/// A line of text; `more` are further attributes.
std::string line_at(double x, double y, double size, const std::string& words,
                    const std::string& more = "") {
  return text("<text x=\"", number(x), "\" y=\"", number(y), "\" font-size=\"", number(size), "\" ",
              more, ">", html_escaped(words), "</text>\n");
}

/// The widest of some labels in pixels, in letters of this size.
double width_of(const std::vector<std::string>& labels, double size) {
  std::size_t most = 0;
  for (const std::string& label : labels) {
    most = std::max(most, utf8_decode(label).size());
  }
  return 0.62 * size * static_cast<double>(most);
}

/// The names of a map's rows, to the left of it.
std::string row_names(const std::vector<std::string>& names, double left, double top, double cell,
                      double size) {
  std::string out;
  for (std::size_t t = 0; t < names.size(); ++t) {
    const double y = top + cell * (static_cast<double>(t) + 0.5) + 0.35 * size;
    out += line_at(left - 6, y, size, names[t], "text-anchor=\"end\" xml:space=\"preserve\"");
  }
  return out;
}

/// The names of its columns, upwards above it.
std::string column_names(const std::vector<std::string>& names, double left, double top,
                         double cell, double size) {
  std::string out;
  for (std::size_t s = 0; s < names.size(); ++s) {
    const double x = left + cell * (static_cast<double>(s) + 0.5) + 0.35 * size;
    out += line_at(x, top - 6, size, names[s],
                   text("transform=\"rotate(-90 ", number(x), " ", number(top - 6), ")\""));
  }
  return out;
}

/// A bar from dark to yellow, with the weights at its ends and in its middle.
std::string colour_bar(double x, double y, double greatest) {
  constexpr double kStep = 5, kHeight = 12;
  std::string out = line_at(x - 6, y + 10, 11, "0", "text-anchor=\"end\" class=\"note\"");
  for (int level = 0; level < kLevels; ++level) {
    out += text("<rect x=\"", number(x + kStep * level), "\" y=\"", number(y), "\" width=\"",
                kStep + 0.5, "\" height=\"", kHeight, "\" fill=\"", colour_of(level), "\"/>\n");
  }
  return out + line_at(x + kStep * kLevels + 6, y + 10, 11, fixed(greatest, 2), "class=\"note\"") +
         line_at(x + kStep * kLevels / 2, y + kHeight + 12, 11, fixed(greatest / 4, 2),
                 "text-anchor=\"middle\" class=\"note\"");
}

/// The image, and below it the weight that the class token gives to each patch.
std::string image_at(const LayerAttention& layer, const AttentionHead& head, double x, double y,
                     double side) {
  const Index height = layer.image.size(0), width = layer.image.size(1);
  const double pixel = side / static_cast<double>(width);
  const double below = y + pixel * static_cast<double>(height) + 34;
  const Index across = width / layer.patch;
  const auto ink = [&](Index row, Index column) {
    return level_at(std::clamp(double{layer.image.data()[row * width + column]}, 0.0, 1.0));
  };
  const auto share = [&](Index row, Index column) {
    return level_at(head.brightness(0, 1 + row * across + column));
  };
  return line_at(x, y - 6, 11.5, "the image", "class=\"note\"") +
         framed(cells(height, width, ink, grey_of), height, width, x, y, pixel) +
         line_at(x, below - 6, 11.5, "what the class token attends to", "class=\"note\"") +
         framed(cells(height / layer.patch, across, share), height / layer.patch, across, x, below,
                pixel * static_cast<double>(layer.patch));
}

}  // namespace

std::string attention_svg(const LayerAttention& layer, int number_of_head) {
  const AttentionHead head(layer, number_of_head);
  const double longest = static_cast<double>(std::max(head.rows(), head.columns()));
  const double cell = std::clamp(760 / longest, 10.0, 26.0), size = std::min(13.0, 0.85 * cell);
  const double left = 24 + width_of(layer.rows, size), top = 62 + width_of(layer.columns, size);
  const double width = cell * static_cast<double>(head.columns());
  const double height = cell * static_cast<double>(head.rows());
  constexpr double kImage = 180;
  const bool has_image = layer.image.defined();
  const double full = std::max(left + width + 24 + (has_image ? kImage + 24 : 0), 430.0);
  std::string svg = page(full, top + height + 56);
  svg += line_at(16, 26, 16, layer.title(number_of_head), "class=\"title\"");
  svg +=
      line_at(16, 44, 11.5, "each row's token attends to the columns' tokens; its weights sum to 1",
              "class=\"note\"");
  svg += map_at(layer, head, left, top, cell) + row_names(layer.rows, left, top, cell, size) +
         column_names(layer.columns, left, top, cell, size);
  if (has_image) {
    svg += image_at(layer, head, left + width + 24, top, kImage);
  }
  svg += colour_bar(left + 14, top + height + 18, head.greatest());
  return svg + "</svg>\n";
}

std::string attention_grid_svg(std::span<const LayerAttention> layers, const std::string& caption) {
  constexpr double kSide = 132, kGap = 14, kTop = 84, kLetters = 9, kLegible = 10;
  constexpr std::size_t kNamed = 32;  // the most tokens whose names are legible on a map
  const auto longest = [](const LayerAttention& layer) {
    return std::max(layer.rows.size(), layer.columns.size());
  };
  const auto cell_of = [&](const LayerAttention& layer) {
    const double cell = kSide / static_cast<double>(longest(layer));
    return longest(layer) <= kNamed ? std::max(cell, kLegible) : cell;
  };
  // Makes room for names: rows are named left of the first map, columns above each layer whose
  // columns differ from the layer above.
  int heads = 0;
  double names = 0, widest = kSide;
  for (const LayerAttention& layer : layers) {
    heads = std::max(heads, layer.heads());
    widest = std::max(widest, cell_of(layer) * static_cast<double>(layer.columns.size()));
    names = longest(layer) <= kNamed ? std::max(names, width_of(layer.rows, kLetters)) : names;
  }
  const double left = 92 + names;
  const double width = std::max(left + heads * (widest + kGap) + 10, 430.0);
  std::string maps;
  for (int head = 1; head <= heads; ++head) {
    maps += line_at(left + (head - 1) * (widest + kGap) + widest / 2, kTop - 16, 12,
                    text("head ", head), "text-anchor=\"middle\" class=\"note\"");
  }
  double y = kTop;
  const LayerAttention* above = nullptr;
  for (const LayerAttention& layer : layers) {
    const double cell = cell_of(layer), height = cell * static_cast<double>(layer.rows.size());
    const bool named = longest(layer) <= kNamed;
    const bool heading = named && (above == nullptr || above->columns != layer.columns);
    y += heading ? width_of(layer.columns, kLetters) : 0;
    const std::string name =
        layer.part.empty() ? text("layer ", layer.layer) : text(layer.part, " ", layer.layer);
    maps += line_at(left - names - 10, y + height / 2 + 4, 12, name,
                    "text-anchor=\"end\" class=\"note\"");
    maps += named ? row_names(layer.rows, left, y, cell, kLetters) : "";
    for (int head = 1; head <= layer.heads(); ++head) {
      const double x = left + (head - 1) * (widest + kGap);
      maps += heading ? column_names(layer.columns, x, y, cell, kLetters) : "";
      maps += map_at(layer, AttentionHead(layer, head), x, y, cell);
    }
    y += height + kGap;
    above = &layer;
  }
  std::string svg = page(width, y + 10);
  svg += line_at(16, 26, 16, "All heads: which tokens attend to which", "class=\"title\"");
  const auto room = static_cast<std::size_t>((width - 32) / 6.4);
  const std::u32string words = utf8_decode(caption);
  svg += line_at(16, 44, 11.5,
                 words.size() <= room ? caption : utf8_encode(words.substr(0, room - 1)) + "…",
                 "class=\"note\"");
  return svg + maps + "</svg>\n";
}

}  // namespace gradus
