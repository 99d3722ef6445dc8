#include "tutorials/common/graph_steps.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace course {
namespace {

constexpr double kWidth = 108, kHeight = 76, kAcross = 68, kDown = 34, kMargin = 12;

struct Point {
  double x, y;
};

/// Where a box stands, or where a long arrow passes between boxes.
struct Stop {
  std::size_t layer;
  double height = 0;                // its place in the layer, as a number to sort by
  std::vector<std::size_t> before;  // the stops with an arrow to this one
  Point centre = {};
};

/// Boxes in layers, each behind its inputs, and in an order in which few arrows cross: after
/// Sugiyama, Tagawa and Toda, 1981, in its simplest form. The first stops are the boxes; `ways`
/// becomes the stops of each arrow, box by box and input by input.
std::vector<Stop> lay_out(const std::vector<GraphBox>& boxes,
                          std::vector<std::vector<std::size_t>>& ways) {
  std::vector<Stop> stops;
  for (const GraphBox& box : boxes) {
    std::size_t layer = 0;
    for (const auto& input : box.inputs) layer = std::max(layer, stops[input.box].layer + 1);
    stops.push_back({.layer = layer, .before = {}});
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (const auto& input : boxes[i].inputs) {
      std::vector<std::size_t> way = {input.box};
      for (std::size_t layer = stops[input.box].layer + 1; layer < stops[i].layer; ++layer) {
        stops.push_back({.layer = layer, .before = {way.back()}});
        way.push_back(stops.size() - 1);
      }
      stops[i].before.push_back(way.back());
      way.push_back(i);
      ways.push_back(way);
    }
  }
  std::size_t layers = 0, most = 0;
  for (const Stop& stop : stops) layers = std::max(layers, stop.layer + 1);
  std::vector<std::vector<std::size_t>> rows(layers);
  for (std::size_t i = 0; i < stops.size(); ++i) rows[stops[i].layer].push_back(i);
  for (auto& row : rows) most = std::max(most, row.size());
  for (auto& row : rows) {
    for (const std::size_t i : row) {
      for (const std::size_t b : stops[i].before) {
        stops[i].height += stops[b].height / static_cast<double>(stops[i].before.size());
      }
    }
    std::ranges::stable_sort(row, {}, [&](std::size_t i) { return stops[i].height; });
    const double free = static_cast<double>(most - row.size()) / 2;
    for (std::size_t k = 0; k < row.size(); ++k) {
      Stop& stop = stops[row[k]];
      stop.height = free + static_cast<double>(k);
      stop.centre = {kMargin + kWidth / 2 + static_cast<double>(stop.layer) * (kWidth + kAcross),
                     kMargin + kHeight / 2 + stop.height * (kHeight + kDown)};
    }
  }
  return stops;
}

std::string escaped(const std::string& words) {
  std::string out;
  for (const char c : words) {
    out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  }
  return out;
}

/// A string of JavaScript. The less-than sign is spelled out, because it could end the script.
std::string quoted(const std::string& words) {
  std::string out = "\"";
  for (const char c : words) {
    out += c == '"' || c == '\\' ? std::string{'\\', c} : c == '<' ? "\\u003c" : std::string(1, c);
  }
  return out + "\"";
}

std::string drawing(const std::string& id, const std::string& title,
                    const std::vector<GraphBox>& boxes) {
  std::vector<std::vector<std::size_t>> ways;
  const std::vector<Stop> stops = lay_out(boxes, ways);
  double right = 0, bottom = 0;
  for (const Stop& stop : stops) {
    right = std::max(right, stop.centre.x + kWidth / 2 + kMargin);
    bottom = std::max(bottom, stop.centre.y + kHeight / 2 + kMargin);
  }
  std::ostringstream svg;
  svg << "<svg viewBox=\"0 0 " << right << ' ' << bottom << "\" width=\"" << right
      << "\" role=\"img\" aria-label=\"" << escaped(title) << "\">\n<defs>";
  for (const char* way : {"on", "back"}) {
    svg << "<marker id=\"" << id << '_' << way << "\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
        << "markerUnits=\"userSpaceOnUse\" markerWidth=\"13\" markerHeight=\"13\" "
        << "orient=\"auto-start-reverse\">"
        << "<path class=\"" << way << "\" d=\"M0 0L8 4L0 8z\"/></marker>";
  }
  svg << "</defs>\n";
  std::size_t arrow = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t k = 0; k < boxes[i].inputs.size(); ++k, ++arrow) {
      const std::vector<std::size_t>& way = ways[arrow];
      Point at = stops[way.front()].centre, middle = {};
      at.x += kWidth / 2 + 3;
      svg << "<path class=\"arrow\" data-box=\"" << i << "\" data-input=\"" << k << "\" d=\"M"
          << at.x << ' ' << at.y;
      for (std::size_t s = 1; s < way.size(); ++s) {
        Point to = stops[way[s]].centre;
        to.x -= kWidth / 2 + (s + 1 == way.size() ? 3 : 0);
        if (s + 1 == way.size()) {  // arrows of several inputs end beside each other
          to.y +=
              24 * (static_cast<double>(k) - static_cast<double>(boxes[i].inputs.size() - 1) / 2);
        }
        const double bend = (at.x + to.x) / 2;
        if (s == 1) middle = {bend, (at.y + to.y) / 2};
        svg << " C" << bend << ' ' << at.y << ' ' << bend << ' ' << to.y << ' ' << to.x << ' '
            << to.y;
        if (s + 1 < way.size()) svg << " h" << kWidth;
        at = {to.x + kWidth, to.y};
      }
      // The slope: on the arrow in the gap before the box, or where a long one passes another.
      if (way.size() > 2) middle = stops[way[way.size() / 2]].centre;
      // Slopes of two arrows between the same boxes would lie on each other.
      const auto same = [&](const auto& input) { return input.box == boxes[i].inputs[k].box; };
      const auto& inputs = boxes[i].inputs;
      const auto before = std::count_if(inputs.begin(), inputs.begin() + std::ptrdiff_t(k), same);
      const auto all = std::count_if(inputs.begin(), inputs.end(), same);
      middle.y += 8 * (2 * static_cast<double>(before) - static_cast<double>(all - 1));
      svg << "\"/>\n<text class=\"slope\" data-box=\"" << i << "\" data-input=\"" << k << "\" x=\""
          << middle.x << "\" y=\"" << middle.y + 5 << "\">&#215;"
          << escaped(boxes[i].inputs[k].slope) << "</text>\n";
    }
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Point c = stops[i].centre;
    svg << "<g class=\"box\" data-box=\"" << i << "\"><rect x=\"" << c.x - kWidth / 2 << "\" y=\""
        << c.y - kHeight / 2 << "\" width=\"" << kWidth << "\" height=\"" << kHeight
        << "\" rx=\"6\"/>\n<text class=\"words\" x=\"" << c.x << "\" y=\"" << c.y - 16 << "\">"
        << escaped(boxes[i].words) << "</text>\n<text x=\"" << c.x << "\" y=\"" << c.y + 6
        << "\">value " << escaped(boxes[i].value) << "</text>\n<text class=\"grad\" x=\"" << c.x
        << "\" y=\"" << c.y + 27 << "\"></text></g>\n";
  }
  svg << "</svg>\n";
  return svg.str();
}

std::string style(const std::string& id) {
  const std::string rules = R"(
ID { margin: 1.5em 0; color: var(--page-foreground-color, currentColor); }
ID .drawing { overflow-x: auto; }
ID svg { display: block; margin: 0 auto; max-width: 100%; min-width: 350px; height: auto;
  font: 17px sans-serif; }
ID text { fill: currentColor; text-anchor: middle; }
ID .words { font-weight: bold; }
ID .slope { font-size: 15px; paint-order: stroke; stroke: var(--page-background-color, Canvas);
  stroke-width: 9px; }
ID rect { fill: none; stroke: currentColor; stroke-width: 1.5; }
ID .arrow { fill: none; stroke: currentColor; stroke-width: 1.5; opacity: 0.65;
  marker-end: url(#NAME_on); }
ID .on { fill: currentColor; }
ID .back { fill: #D55E00; }
ID .grad { fill: var(--primary-color, #0072B2); font-weight: bold; }
ID .turn rect { stroke: #D55E00; stroke-width: 3.5; }
ID .arrow.turn { stroke: #D55E00; stroke-width: 3.5; opacity: 1; marker-end: none;
  marker-start: url(#NAME_back); }
ID .steps { display: flex; flex-wrap: wrap; gap: 0.6em; align-items: center;
  justify-content: center; margin: 0.8em 0; }
ID .steps[hidden] { display: none; }
ID button { font: inherit; padding: 0.25em 1.1em; cursor: pointer; color: inherit;
  background: transparent; border: 1px solid currentColor;
  border-radius: var(--border-radius-small, 4px); }
ID button:disabled { opacity: 0.4; cursor: default; }
ID button:focus-visible { outline: 3px solid #D55E00; outline-offset: 2px; }
ID figcaption { text-align: center; font-size: 90%; opacity: 0.75; }
ID .said { text-align: center; min-height: 3.2em; margin: 0.5em auto; max-width: 38em; }
)";
  std::string out;
  for (std::size_t at = 0; at < rules.size(); ++at) {
    if (rules.compare(at, 3, "ID ") == 0) {
      out += "#" + id + " ";
      at += 2;
    } else if (rules.compare(at, 5, "NAME_") == 0) {
      out += id + "_";
      at += 4;
    } else {
      out += rules[at];
    }
  }
  return out;
}

constexpr const char* kScript = R"(
  const all = (what) => figure.querySelectorAll(what);
  const [back, next] = all("button");
  let now = 0;
  function show(step) {
    now = Math.max(0, Math.min(steps.length - 1, step));
    const { words, grads, box, input } = steps[now];
    all(".grad").forEach((text, i) => { text.textContent = grads[i] && "grad " + grads[i]; });
    all("[data-box]").forEach((part) => {
      const { box: b, input: k } = part.dataset;
      part.classList.toggle("turn", b == box && (k === undefined || k == input));
    });
    figure.querySelector(".said").textContent = words;
    figure.querySelector(".count").textContent = `step ${now} of ${steps.length - 1}`;
    // A button that is switched off lets go of the focus, and the arrow keys with it.
    const other = now === 0 ? next : now === steps.length - 1 ? back : null;
    if (other && figure.contains(document.activeElement)) {
      other.disabled = false;
      other.focus();
    }
    back.disabled = now === 0;
    next.disabled = now === steps.length - 1;
  }
  back.addEventListener("click", () => show(now - 1));
  next.addEventListener("click", () => show(now + 1));
  figure.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") show(now - 1);
    if (event.key === "ArrowRight") show(now + 1);
  });
  figure.querySelector(".steps").hidden = false;
  show(0);
})();
)";

}  // namespace

std::string graph_steps(const std::string& id, const std::string& title, const std::string& caption,
                        const std::vector<GraphBox>& boxes, const std::vector<GraphStep>& steps) {
  std::ostringstream html;
  html << "<figure id=\"" << id << "\">\n<style>" << style(id)
       << "</style>\n<div class=\"drawing\">\n"
       << drawing(id, title, boxes) << "</div>\n<p class=\"said\" aria-live=\"polite\">"
       << escaped(steps.front().words) << "</p>\n<div class=\"steps\" hidden>"
       << "<button type=\"button\">back</button><span class=\"count\"></span>"
       << "<button type=\"button\">next</button></div>\n<script>\n(function () {\n"
       << "  const figure = document.getElementById(" << quoted(id) << ");\n  const steps = [\n";
  for (const GraphStep& step : steps) {
    html << "    { words: " << quoted(step.words) << ", grads: [";
    for (const std::string& grad : step.grads) html << quoted(grad) << ',';
    html << "], box: " << step.box << ", input: " << step.input << " },\n";
  }
  html << "  ];" << kScript << "</script>\n<figcaption>" << escaped(caption)
       << "</figcaption>\n</figure>\n";
  return html.str();
}

}  // namespace course
