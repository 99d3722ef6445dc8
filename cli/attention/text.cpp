#include <algorithm>
#include <array>
#include <cmath>

#include "autograd/check.h"
#include "cli/attention/map.h"
#include "cli/program/display.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

/// Means of a head over its rows.
struct HeadFigures {
  double distance = 0, entropy = 0, first = 0, previous = 0;
};

HeadFigures figures_of(const AttentionHead& head, bool causal) {
  HeadFigures f;
  const Index from = causal && head.rows() > 1 ? 1 : 0;  // the first row has no choice
  double rows = 0, with_previous = 0;
  for (Index t = from; t < head.rows(); ++t) {
    for (Index s = 0; s < head.columns(); ++s) {
      const double w = head.at(t, s);
      f.distance += w * static_cast<double>(std::abs(t - s));
      f.entropy -= w > 0 ? w * std::log2(w) : 0;
    }
    f.first += head.at(t, 0);
    ++rows;
    if (t > 0 && t - 1 < head.columns()) {
      f.previous += head.at(t, t - 1);
      ++with_previous;
    }
  }
  f.distance /= rows;
  f.entropy = std::max(0.0, f.entropy / rows);  // rounding must not give -0.00
  f.first /= rows;
  f.previous /= std::max(with_previous, 1.0);
  return f;
}

std::string padded_to(std::string cell, std::size_t width) {
  const std::size_t length = utf8_decode(cell).size();
  return std::string(length < width ? width - length : 0, ' ') + std::move(cell);
}

std::string name_of(const LayerAttention& layer) {
  return text(layer.part, layer.part.empty() ? "" : " ", layer.layer);
}

}  // namespace

std::string attention_table(std::span<const LayerAttention> layers) {
  std::string out = "layer       head  distance  entropy  first  previous\n";
  for (const LayerAttention& layer : layers) {
    for (int number_of_head = 1; number_of_head <= layer.heads(); ++number_of_head) {
      const HeadFigures f = figures_of(AttentionHead(layer, number_of_head), layer.causal);
      std::string name = name_of(layer);
      name.resize(10, ' ');
      const auto share = [](double value) { return fixed(100 * value, 0) + "%"; };
      out += name + padded_to(std::to_string(number_of_head), 6) +
             padded_to(layer.is_self() ? fixed(f.distance, 2) : "-", 10) +
             padded_to(fixed(f.entropy, 2), 9) + padded_to(share(f.first), 7) +
             padded_to(layer.is_self() ? share(f.previous) : "-", 10) + "\n";
    }
  }
  return out;
}

std::string attention_text(const LayerAttention& layer, int number_of_head) {
  static constexpr std::array<const char*, 5> kBlocks = {"··", "░░", "▒▒", "▓▓", "██"};
  const AttentionHead head(layer, number_of_head);
  std::string out = layer.title(number_of_head) + "\n\n";
  std::size_t wide = 0;
  for (const std::string& label : layer.rows) {
    wide = std::max(wide, utf8_decode(label).size());
  }
  const std::size_t digits = std::to_string(layer.rows.size()).size();
  out += std::string(wide + digits + 3, ' ');
  for (Index s = 0; s < head.columns(); ++s) {
    out += padded_to(std::to_string((s + 1) % 100), 2);
  }
  out += "\n";
  for (Index t = 0; t < head.rows(); ++t) {
    out += padded_to(layer.rows[static_cast<std::size_t>(t)], wide) + "  " +
           padded_to(std::to_string(t + 1), digits) + " ";
    for (Index s = 0; s < head.columns(); ++s) {
      out += head.is_hidden(t, s)
                 ? "  "
                 : kBlocks[static_cast<std::size_t>(std::lround(4 * head.brightness(t, s)))];
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += "\n";
  }
  if (!layer.is_self()) {
    out += "\ncolumns:";
    for (std::size_t s = 0; s < layer.columns.size(); ++s) {
      out += text("  ", s + 1, " ", layer.columns[s]);
    }
    out += "\n";
  }
  return out + text("\n", kBlocks[0], " 0  ", kBlocks[2], " ", fixed(head.greatest() / 4, 2), "  ",
                    kBlocks[4], " ", fixed(head.greatest(), 2), "\n");
}

}  // namespace gradus
