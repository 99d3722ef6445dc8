#include "tutorials/21_images_as_sequences/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <sstream>
#include <utility>

#include "cli/attention/explorer.h"

using course::Grid;

namespace {

constexpr int kSide = 16, kPatch = 4, kAcross = kSide / kPatch;

/// An SVG that grows.
class Picture {
 public:
  Picture(int width, int height, const std::string& about) {
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\""
         << height << "\" viewBox=\"0 0 " << width << ' ' << height
         << "\" font-family=\"sans-serif\" aria-label=\"" << about << "\">\n"
         << "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}"
            "@media print{svg{color:#000}}</style>\n";
  }
  /// Pixels of image `number`, rows and columns [top, bottom) x [left, right), `size` wide each.
  void pixels(const Grid& images, std::size_t number, int top, int left, int bottom, int right,
              double x, double y, double size) {
    std::vector<std::string> levels(8);  // of ink; a path for each
    for (int row = top; row < bottom; ++row) {
      const auto level_at = [&](int column) {
        const auto at = number * kSide * kSide + static_cast<std::size_t>(row * kSide + column);
        return static_cast<std::size_t>(std::lround(7 * images.values[at]));
      };
      for (int column = left, next; column < right; column = next) {  // pixels of one level
        for (next = column + 1; next < right && level_at(next) == level_at(column);) ++next;
        const std::string wide = std::to_string(next - column);
        levels[level_at(column)] += "M" + std::to_string(column - left) + " " +
                                    std::to_string(row - top) + "h" + wide + "v1h-" + wide + "z";
      }
    }
    out_ << "<g transform=\"translate(" << x << ' ' << y << ") scale(" << size
         << ")\" fill=\"currentColor\" shape-rendering=\"crispEdges\">";
    for (std::size_t level = 1; level < levels.size(); ++level) {
      if (levels[level].empty()) continue;
      char opacity[8];
      std::snprintf(opacity, sizeof opacity, "%.2f", double(level) / 7);
      out_ << "<path fill-opacity=\"" << opacity << "\" d=\"" << levels[level] << "\"/>";
    }
    out_ << "</g>\n";
  }
  void rectangle(double x, double y, double width, double height, double opacity = 0,
                 const char* line = "0.8", const char* colour = "currentColor") {
    char shade[8];
    std::snprintf(shade, sizeof shade, "%.2f", opacity);
    out_ << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << width << "\" height=\""
         << height << "\" fill=\"#E69F00\" fill-opacity=\"" << shade << "\" stroke=\"" << colour
         << "\" stroke-width=\"" << line << "\"/>\n";
  }
  void text(double x, double y, const std::string& words, int size = 13,
            const char* anchor = "middle") {
    out_ << "<text x=\"" << x << "\" y=\"" << y << "\" font-size=\"" << size << "\" text-anchor=\""
         << anchor << "\" fill=\"currentColor\">" << words << "</text>\n";
  }
  /// The edges of 4 by 4 cells.
  void cells(double x, double y, double size, const char* line) {
    const double side = kAcross * size;
    out_ << "<path d=\"";
    for (int i = 0; i <= kAcross; ++i) {
      out_ << 'M' << x << ' ' << y + i * size << 'h' << side << 'M' << x + i * size << ' ' << y
           << 'v' << side;
    }
    out_ << "\" stroke=\"currentColor\" stroke-width=\"" << line << "\"/>\n";
  }
  /// Without an edge, and nothing where it would not be seen.
  void shade(double x, double y, double size, double opacity) {
    char shown[8];
    std::snprintf(shown, sizeof shown, "%.2f", opacity);
    if (opacity < 0.005) return;
    out_ << "<path fill=\"#E69F00\" fill-opacity=\"" << shown << "\" d=\"M" << x << ' ' << y << 'h'
         << size << 'v' << size << "h-" << size << "z\"/>\n";
  }
  /// A whole image with its patches' edges.
  void image(const Grid& images, std::size_t number, double x, double y, double size) {
    pixels(images, number, 0, 0, kSide, kSide, x, y, size);
    cells(x, y, kPatch * size, "0.5");
  }
  void write(const std::string& name) {
    course::write_figure(name + ".svg", out_.str() + "</svg>\n");
  }

 private:
  std::ostringstream out_;
};

}  // namespace

namespace {

/// An image, and some of its patches in a row, each with a number.
struct Row {
  const Grid* images;
  std::size_t number;
  std::vector<int> patches, numbers;
  const char* words;
};

void draw_rows(const std::string& name, const std::string& about, const std::vector<Row>& rows) {
  constexpr double kPixel = 7, kSmall = 5.5, kStep = 26;
  Picture picture(560, 290, about);
  double y = 14;
  for (const Row& row : rows) {
    picture.image(*row.images, row.number, 6, y, kPixel);
    picture.text(345, y + 18, row.words);
    for (std::size_t i = 0; i < row.patches.size(); ++i) {
      const int top = row.patches[i] / kAcross * kPatch, left = row.patches[i] % kAcross * kPatch;
      const double x = 140 + double(i) * kStep;
      picture.pixels(*row.images, row.number, top, left, top + kPatch, left + kPatch, x, y + 42,
                     kSmall);
      picture.rectangle(x, y + 42, kPatch * kSmall, kPatch * kSmall);
      picture.text(x + kPatch * kSmall / 2, y + 80, std::to_string(row.numbers[i]));
    }
    y += 145;
  }
  picture.write(name);
}

std::vector<int> zero_to_15() {
  std::vector<int> all(kAcross * kAcross);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

double pixel_of(const Grid& images, std::size_t number, int patch, int k) {
  const int row = patch / kAcross * kPatch + k / kPatch;
  const int column = patch % kAcross * kPatch + k % kPatch;
  return images.values[number * kSide * kSide + static_cast<std::size_t>(row * kSide + column)];
}

/// The mean of a patch's pixels.
double ink_of(const Grid& images, std::size_t number, int patch) {
  double ink = 0;
  for (int k = 0; k < kPatch * kPatch; ++k) ink += pixel_of(images, number, patch, k);
  return ink / (kPatch * kPatch);
}

}  // namespace

void draw_sentence(const Grid& image, const Grid& shuffled, const std::vector<int>& order) {
  draw_rows("sentence",
            "A drawn digit of 16 by 16 pixels, cut into 16 patches of 4 by 4, and the patches "
            "in a row, as words of a sentence. Below, the same patches in another order.",
            {{&image, 0, zero_to_15(), zero_to_15(), "its 16 patches, row by row"},
             {&shuffled, 0, zero_to_15(), order, "another order, with the old numbers"}});
}

void draw_sheet(const Grid& images) {
  Picture picture(560, 232, "Ten drawn digits, 0 to 9, of different sizes, slants and shifts.");
  for (int i = 0; i < 10; ++i) {
    picture.image(images, static_cast<std::size_t>(i), 8 + i % 5 * 112, 6 + i / 5 * 116.0, 6);
  }
  picture.write("digits_drawn");
}

void draw_attention(const Grid& images, const Grid& weights, const std::vector<int>& guesses) {
  constexpr double kPixel = 5.5, kStep = 112;
  const std::vector<std::size_t> shown = {2, 4, 6};
  const auto heads = static_cast<std::size_t>(weights.size(1)),
             tokens = static_cast<std::size_t>(weights.size(2));
  Picture picture(560, 30 + 112 * static_cast<int>(shown.size()),
                  "Three digits; beside each, the weights of the class token on the 16 patches in "
                  "the four heads of the last layer.");
  picture.text(46, 18, "image");
  for (std::size_t h = 0; h < heads; ++h) {
    picture.text(46 + kStep * double(h + 1), 18, "head " + std::to_string(h + 1));
  }
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const double y = 28 + 112 * double(k);
    picture.image(images, shown[k], 2, y, kPixel);
    picture.text(46, y + 102, "read as " + std::to_string(guesses[shown[k]]));
    for (std::size_t h = 0; h < heads; ++h) {
      const double x = 2 + kStep * double(h + 1);
      const double* row = weights.values.data() + (shown[k] * heads + h) * tokens * tokens;
      const double most = *std::max_element(row + 1, row + tokens);
      picture.pixels(images, shown[k], 0, 0, kSide, kSide, x, y, kPixel);
      for (int i = 0; i < kAcross * kAcross; ++i) {
        picture.shade(x + i % kAcross * kPatch * kPixel, y + double(i / kAcross) * kPatch * kPixel,
                      kPatch * kPixel, 0.75 * row[i + 1] / most);
      }
      picture.cells(x, y, kPatch * kPixel, "0.5");
      char words[40];
      std::snprintf(words, sizeof words, "largest %.2f", most);
      picture.text(x + 44, y + 102, words);
    }
  }
  picture.write("class_attention");
}

std::vector<double> percent_ink(const Grid& images, const std::vector<Grid>& layers) {
  const auto count = static_cast<std::size_t>(images.size(0));
  double patches = 0;
  std::vector<double> weight(layers.size()), all(layers.size());
  for (std::size_t number = 0; number < count; ++number) {
    for (int i = 0; i < kAcross * kAcross; ++i) {
      const bool ink = ink_of(images, number, i) > 0.15;  // noise alone has about a quarter of that
      patches += ink;
      for (std::size_t l = 0; l < layers.size(); ++l) {
        const auto heads = static_cast<std::size_t>(layers[l].size(1)),
                   tokens = static_cast<std::size_t>(layers[l].size(2));
        for (std::size_t h = 0; h < heads; ++h) {
          const double w =
              layers[l]
                  .values[(number * heads + h) * tokens * tokens + static_cast<std::size_t>(i) + 1];
          all[l] += w, weight[l] += ink ? w : 0;
        }
      }
    }
  }
  std::vector<double> percent{100 * patches / double(count) / (kAcross * kAcross)};
  for (std::size_t l = 0; l < layers.size(); ++l) percent.push_back(100 * weight[l] / all[l]);
  return percent;
}

void print_extent(const Grid& images) {
  const auto count = static_cast<std::size_t>(images.size(0));
  const char* directions[] = {"sideways", "up and down"};
  std::printf("pixels          size   its middle varies by\n");
  for (const int axis : {0, 1}) {
    double sum = 0, squares = 0, extent = 0;
    for (std::size_t number = 0; number < count; ++number) {
      int least = kSide, most = 0;
      for (int i = 0; i < kSide * kSide; ++i) {
        if (images.values[number * kSide * kSide + std::size_t(i)] < 0.4) continue;
        const int place = axis == 0 ? i % kSide : i / kSide;
        least = std::min(least, place), most = std::max(most, place);
      }
      const double middle = (least + most + 1) / 2.0;
      sum += middle, squares += middle * middle, extent += most - least + 1;
    }
    const double mean = sum / double(count);
    std::printf("%-14s %5.1f %21.1f\n", directions[axis], extent / double(count),
                std::sqrt(squares / double(count) - mean * mean));
  }
}

namespace {

/// How often a digit is read `as` this one, in percent.
double percent_read(const std::vector<int>& labels, const std::vector<int>& guesses, int digit,
                    int as) {
  double all = 0, read = 0;
  for (std::size_t i = 0; i < guesses.size(); ++i) {
    if (labels[i % labels.size()] == digit) ++all, read += guesses[i] == as;
  }
  return 100 * read / all;
}

}  // namespace

void print_confusions(const std::vector<int>& labels, const std::vector<int>& with,
                      const std::vector<int>& without) {
  std::printf("              right             most frequent mistake\n");
  std::printf("digit    with  without    without    the same with\n");
  for (int digit = 0; digit < 10; ++digit) {
    int other = digit == 0;  // as which it is read most often, without positions
    for (int as = 0; as < 10; ++as) {
      const bool more =
          percent_read(labels, without, digit, as) > percent_read(labels, without, digit, other);
      if (as != digit && more) other = as;
    }
    std::printf("%5d %5.0f %% %6.0f %%    as %d: %2.0f %% %4.0f %%\n", digit,
                percent_read(labels, with, digit, digit),
                percent_read(labels, without, digit, digit), other,
                percent_read(labels, without, digit, other),
                percent_read(labels, with, digit, other));
  }
}

void draw_explorer(const Grid& image, const std::vector<Grid>& layers) {
  Picture picture(330, 270, "The image of the explorer, with its rows and columns of patches.");
  picture.image(image, 0, 84, 26, 14);
  gradus::Attentions shown{.queries = {"class token"},
                           .keys = {},
                           .layers = {},
                           .notes = {""},
                           .caption = "",
                           .unit = "token"};
  for (int i = 0; i < kAcross; ++i) {
    picture.text(112 + 56 * i, 18, "col " + std::to_string(i + 1), 12);
    picture.text(78, 58 + 56 * i, "row " + std::to_string(i + 1), 12, "end");
  }
  for (int i = 0; i < kAcross * kAcross; ++i) {
    char note[60];
    std::snprintf(note, sizeof note, "The mean of its pixels is %.2f.", ink_of(image, 0, i));
    shown.queries.push_back("row " + std::to_string(i / kAcross + 1) + ", col " +
                            std::to_string(i % kAcross + 1));
    shown.notes.emplace_back(note);
  }
  shown.keys = shown.queries;
  for (const Grid& layer : layers) {
    shown.layers.push_back({static_cast<std::size_t>(layer.size(1)), layer.values});
  }
  shown.caption = "The patches of the image above: which of them each attends to.";
  picture.write("explored");
  course::write_figure("explorer.html", gradus::attention_explorer("explorer_21", shown));
}

void draw_similarities(const Grid& before, const Grid& after) {
  constexpr double kCell = 14, kStep = 4 * kCell + 8;
  Picture picture(560, 284,
                  "Two squares of 4 by 4 grids, one for each patch, with 4 by 4 cells each. Before "
                  "training only the patch itself is dark. After training the other cells of its "
                  "row are often dark, too.");
  for (const Grid* each : {&before, &after}) {
    const double x0 = each == &before ? 8 : 300, y0 = 30;
    picture.text(x0 + 2 * kStep - 4, 18, each == &before ? "before training" : "after training");
    for (int i = 0; i < kAcross * kAcross; ++i) {
      const double left = x0 + i % kAcross * kStep, top = y0 + double(i / kAcross) * kStep;
      for (int j = 0; j < kAcross * kAcross; ++j) {
        const double x = left + j % kAcross * kCell, y = top + double(j / kAcross) * kCell;
        const double similar = each->values[std::size_t(i * kAcross * kAcross + j)];
        picture.shade(x, y, kCell, similar);
        if (i == j) picture.rectangle(x, y, kCell, kCell, 0, "2");
      }
      picture.cells(left, top, kCell, "0.4");
    }
  }
  picture.write("similarities");
}

void print_neighbours(const std::vector<std::pair<const char*, std::vector<Grid>>>& columns,
                      const std::vector<int>& order) {
  const char* names[] = {"side by side", "further in a row", "one above the other", "all others"};
  std::printf("%-21s", "similarity");
  for (const auto& column : columns) std::printf(" %-23s", column.first);
  std::printf("\n");
  for (int kind = 0; kind < 4; ++kind) {
    std::printf("%-21s", names[kind]);
    for (const auto& column : columns) {
      std::vector<double> means;  // of each seed
      for (const Grid& seed : column.second) {
        double sum = 0, count = 0;
        for (int i = 0; i < kAcross * kAcross; ++i) {
          for (int j = 0; j < i; ++j) {
            const auto place = [&](int k) { return order.empty() ? k : order[std::size_t(k)]; };
            const int down = std::abs(place(i) / kAcross - place(j) / kAcross);
            const int across = std::abs(place(i) % kAcross - place(j) % kAcross);
            const int is = down == 0 ? across > 1 : down == 1 && across == 0 ? 2 : 3;
            if (is == kind) sum += seed.values[std::size_t(i * kAcross * kAcross + j)], ++count;
          }
        }
        means.push_back(sum / count);
      }
      const auto [least, most] = std::minmax_element(means.begin(), means.end());
      const double mean = std::accumulate(means.begin(), means.end(), 0.0) / double(means.size());
      std::printf(" %5.2f, %5.2f to %5.2f ", mean, *least, *most);
    }
    std::printf("\n");
  }
}

void show_masked(const Grid& images, const Grid& hidden, const Grid& drawn, const Grid& average,
                 const std::vector<std::int64_t>& shown) {
  const std::size_t pixels = kSide * kSide;
  double error = 0, of_average = 0, count = 0;
  Grid seen = images, clamped = drawn;
  for (std::size_t i = 0; i < images.values.size(); ++i) {
    const std::size_t y = i % pixels / kSide, x = i % kSide;
    const std::size_t patch = y / kPatch * kAcross + x / kPatch;
    clamped.values[i] = std::clamp(drawn.values[i], 0.0, 1.0);
    if (hidden.values[i / pixels * kAcross * kAcross + patch] == 0) continue;
    seen.values[i] = 0;
    error += std::pow(drawn.values[i] - images.values[i], 2), ++count;
    of_average += std::pow(average.values[i % pixels] - images.values[i], 2);
  }
  std::printf("mean squared error on hidden pixels of new images: %.3f\n", error / count);
  std::printf("with the average image of all in their place:      %.3f\n", of_average / count);

  constexpr double kPixel = 6, kStep = 122;
  Picture picture(
      360, 26 + 106 * static_cast<int>(shown.size()),
      "Digits with half of their 16 patches hidden; beside each, what the model drew in "
      "the hidden patches, and the true image. The drawn strokes are blurred.");
  const std::pair<const char*, const Grid*> kinds[] = {
      {"seen", &seen}, {"drawn", &clamped}, {"true", &images}};
  for (std::size_t row = 0; row < shown.size(); ++row) {
    const auto number = static_cast<std::size_t>(shown[row]);
    for (std::size_t k = 0; k < 3; ++k) {
      const double x0 = 8 + kStep * double(k), y0 = 24 + 106 * double(row);
      if (row == 0) picture.text(x0 + 48, 16, kinds[k].first);
      picture.image(*kinds[k].second, number, x0, y0, kPixel);
      for (int i = 0; k < 2 && i < kAcross * kAcross; ++i) {
        if (hidden.values[number * kAcross * kAcross + std::size_t(i)] == 0) continue;
        const double x = x0 + i % kAcross * kPatch * kPixel,
                     y = y0 + double(i / kAcross) * kPatch * kPixel;
        if (k == 0) picture.text(x + 12, y + 17, "?");
        if (k == 1) picture.rectangle(x, y, kPatch * kPixel, kPatch * kPixel, 0, "2");
      }
    }
  }
  picture.write("masked");
}

double seconds_of_cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
