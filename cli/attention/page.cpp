#include <algorithm>

#include "autograd/check.h"
#include "cli/attention/explorer.h"
#include "cli/attention/map.h"

namespace gradus {
using namespace detail;
namespace {

constexpr std::size_t kMostTokens = 128;  // in a drawing with a line for each pair

constexpr const char* kPageStyle =
    ":root{color-scheme:light dark;--primary-color:#0072b2;--page-foreground-color:#222;"
    "--page-secondary-foreground-color:#555}\n"
    "@media(prefers-color-scheme:dark){:root{--primary-color:#56b4e9;--page-foreground-color:#eee;"
    "--page-secondary-foreground-color:#aaa}}\n"
    "body{font-family:system-ui,sans-serif;line-height:1.5;max-width:46em;margin:2em auto;"
    "padding:0 1em}\n"
    "text{font-family:ui-monospace,Menlo,Consolas,monospace}\n"
    "h1{font-size:1.4em}h2{font-size:1.15em;margin-top:2em}\n";

std::vector<double> values_of(const Tensor& weights) {
  return {weights.data(), weights.data() + weights.size()};
}

/// Draws the layers of one part, which all have the same tokens.
std::string explorer_of(std::span<const LayerAttention> layers) {
  const LayerAttention& first = layers.front();
  for (const std::vector<std::string>* labels : {&first.rows, &first.columns}) {
    check(labels->size() <= kMostTokens, "--open: draws at most ", kMostTokens, " tokens, got ",
          labels->size(), " (use a shorter --text, or draw maps with --out heads.svg)");
  }
  Attentions shown{
      .queries = first.rows,
      .keys = first.columns,
      .layers = {},
      .notes = {},
      .caption = "Left: the tokens that attend. Right: the tokens that they attend to.",
      .unit = "token"};
  for (const LayerAttention& layer : layers) {
    shown.layers.push_back({static_cast<std::size_t>(layer.heads()), values_of(layer.weights)});
  }
  const std::string& part = first.part;
  const std::string heading = part.empty()      ? ""
                              : part == "cross" ? "<h2>The decoder attends to the source</h2>\n"
                                                : "<h2>The " + part + " attends to itself</h2>\n";
  return heading + attention_explorer("attention" + part, shown);
}

}  // namespace

std::string attention_page(std::span<const LayerAttention> layers, const std::string& caption) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Which tokens attend to which</title>\n<style>\n";
  page += text(kPageStyle, "</style>\n</head>\n<body>\n<h1>Which tokens attend to which</h1>\n<p>",
               html_escaped(caption), "</p>\n");
  while (!layers.empty()) {
    const auto other = std::ranges::find_if(
        layers, [&](const LayerAttention& layer) { return layer.part != layers.front().part; });
    const auto count = static_cast<std::size_t>(other - layers.begin());
    page += explorer_of(layers.first(count));
    layers = layers.subspan(count);
  }
  return page + "</body>\n</html>\n";
}

}  // namespace gradus
