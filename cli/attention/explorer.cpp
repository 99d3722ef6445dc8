#include "cli/attention/explorer.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "autograd/check.h"

namespace gradus {
namespace {

constexpr int kRow = 28;                       // from word to word
constexpr int kTop = 40;                       // above the first word
constexpr int kLeft = 150;                     // where the attending words end
constexpr int kRight = 330;                    // where the words attended to begin
constexpr int kWidth = 500;                    // the drawing's width
constexpr std::size_t kMostInTables = 20'000;  // weights

/// A JavaScript string.
std::string literal(const std::string& words) {
  std::string out = "\"";
  for (const char c : words) {
    out += c == '"' || c == '\\' ? std::string("\\") + c : c == '<' ? "\\x3c" : std::string(1, c);
  }
  return out + "\"";
}

std::string list(const std::vector<std::string>& words) {
  std::string out = "[";
  for (const std::string& word : words) {
    out += (out.size() > 1 ? "," : "") + literal(word);
  }
  return out + "]";
}

std::string number(double value, const char* format = "%.3g") {
  char digits[32];
  std::snprintf(digits, sizeof digits, format, value < 5e-4 ? 0.0 : value);
  return digits;
}

double weight(const Attentions& shown, std::size_t layer, std::size_t h, std::size_t t,
              std::size_t s) {
  return shown.layers[layer].values[(h * shown.queries.size() + t) * shown.keys.size() + s];
}

int height_of(std::size_t row) { return kTop + static_cast<int>(row) * kRow; }

void write_style(std::ostringstream& out, const std::string& id) {
  const std::string at = "#" + id;
  out << "<style>\n"
      << at << "{margin:1.5em 0;color:var(--page-foreground-color,currentColor)}\n"
      << at << " .choice{display:flex;flex-wrap:wrap;gap:.3em 1.2em;margin:.4em 0}\n"
      << at << " .choice span{min-width:3em}\n"
      << at << " .choice label{cursor:pointer;padding:.2em .3em}\n"
      << at << " svg{display:block;width:100%;max-width:36em;height:auto;margin:0 auto}\n"
      << at << " text{fill:currentColor;font-size:15px}\n"
      << at << " line,\n"
      << at << " .share{stroke:var(--primary-color,#0072b2)}\n"
      << at << " .share{fill:var(--primary-color,#0072b2);stroke:none}\n"
      << at << " .looks{cursor:pointer;outline:none}\n"
      << at << " .looks rect{fill:transparent;stroke:transparent;stroke-width:2}\n"
      << at << " .looks:focus-visible rect," << at
      << " .looks.chosen rect{stroke:var(--primary-color,#0072b2)}\n"
      << at << " .told{min-height:3em;text-align:center;margin:.3em 0}\n"
      << at << " figcaption{text-align:center;font-size:90%;"
      << "color:var(--page-secondary-foreground-color,inherit)}\n"
      << at << " details{margin-top:1em}\n"
      << at << " .tables{overflow-x:auto}\n"
      << at << " .tables table{border-collapse:collapse;font-size:85%;margin:.6em 0}\n"
      << at << " .tables caption{display:block;text-align:left;font-weight:600}\n"
      << at << " .tables td," << at << " .tables th{padding:.1em .4em;text-align:right}\n"
      << "</style>\n";
}

void write_choice(std::ostringstream& out, const std::string& id, const char* what,
                  std::size_t count, bool ends_with_mean = false) {
  out << "<div class=\"choice\" role=\"radiogroup\" aria-label=\"" << what << "\"><span>" << what
      << "</span>";
  for (std::size_t i = 0; i < count; ++i) {
    out << "<label><input type=\"radio\" name=\"" << id << '_' << what << "\" value=\"" << i << "\""
        << (i == 0 ? " checked=\"checked\"" : "") << "/> "
        << (ends_with_mean && i + 1 == count ? "mean" : std::to_string(i + 1)) << "</label>";
  }
  out << "</div>\n";
}

/// Draws words on both sides and a line for each pair; the line's opacity is the pair's weight.
void write_drawing(std::ostringstream& out, const Attentions& shown) {
  const std::size_t queries = shown.queries.size(), keys = shown.keys.size();
  out << "<svg viewBox=\"0 0 " << kWidth << ' ' << height_of(std::max(queries, keys))
      << "\" role=\"group\" aria-label=\"" << html_escaped(shown.caption) << "\">\n<text x=\""
      << kLeft - 8 << "\" y=\"14\" text-anchor=\"end\" opacity=\"0.75\">attends</text><text x=\""
      << kRight + 8
      << "\" y=\"14\" opacity=\"0.75\">is attended to</text>\n<g aria-hidden=\"true\">\n";
  for (std::size_t t = 0; t < queries; ++t) {
    for (std::size_t s = 0; s < keys; ++s) {
      out << "<line x1=\"" << kLeft << "\" y1=\"" << height_of(t) << "\" x2=\"" << kRight
          << "\" y2=\"" << height_of(s) << "\" stroke-width=\"3\" stroke-opacity=\""
          << number(weight(shown, 0, 0, t, s)) << "\"/>";
    }
    out << '\n';
  }
  for (std::size_t s = 0; s < keys; ++s) {
    out << "<rect class=\"share\" x=\"" << kRight + 2 << "\" y=\"" << height_of(s) - 13
        << "\" width=\"" << kWidth - kRight - 4 << "\" height=\"26\" rx=\"4\" fill-opacity=\"0\"/>"
        << "<text x=\"" << kRight + 8 << "\" y=\"" << height_of(s) + 5 << "\">"
        << html_escaped(shown.keys[s]) << "</text><text class=\"number\" x=\"" << kWidth - 8
        << "\" y=\"" << height_of(s) + 5 << "\" text-anchor=\"end\"></text>\n";
  }
  out << "</g>\n";
  for (std::size_t t = 0; t < queries; ++t) {
    out << "<g class=\"looks\" tabindex=\"0\" role=\"button\" aria-label=\"" << shown.unit << ' '
        << t + 1 << ": " << html_escaped(shown.queries[t]) << "\"><rect x=\"2\" y=\""
        << height_of(t) - 13 << "\" width=\"" << kLeft - 4
        << "\" height=\"26\" rx=\"4\"/><text x=\"" << kLeft - 8 << "\" y=\"" << height_of(t) + 5
        << "\" text-anchor=\"end\">" << html_escaped(shown.queries[t]) << "</text></g>\n";
  }
  out << "</svg>\n";
}

void write_tables(std::ostringstream& out, const Attentions& shown) {
  out << "<details><summary>All weights as tables</summary><div class=\"tables\">\n";
  for (std::size_t layer = 0; layer < shown.layers.size(); ++layer) {
    for (std::size_t h = 0; h < shown.layers[layer].heads; ++h) {
      out << "<table><caption>Layer " << layer + 1 << ", "
          << (shown.ends_with_mean && h + 1 == shown.layers[layer].heads
                  ? "mean of the heads"
                  : "head " + std::to_string(h + 1))
          << "</caption><tr><td></td>";
      for (const std::string& key : shown.keys) {
        out << "<th scope=\"col\">" << html_escaped(key) << "</th>";
      }
      out << "</tr>\n";
      for (std::size_t t = 0; t < shown.queries.size(); ++t) {
        out << "<tr><th scope=\"row\">" << html_escaped(shown.queries[t]) << "</th>";
        for (std::size_t s = 0; s < shown.keys.size(); ++s) {
          out << "<td>" << number(weight(shown, layer, h, t, s), "%.2f") << "</td>";
        }
        out << "</tr>\n";
      }
      out << "</table>\n";
    }
  }
  out << "</div></details>\n";
}

/// The weights as nested lists: layers, heads, queries, keys.
void write_weights(std::ostringstream& out, const Attentions& shown) {
  out << "var weights=[";
  for (std::size_t layer = 0; layer < shown.layers.size(); ++layer) {
    out << (layer > 0 ? "," : "") << '[';
    for (std::size_t h = 0; h < shown.layers[layer].heads; ++h) {
      out << (h > 0 ? ",\n[" : "[");
      for (std::size_t t = 0; t < shown.queries.size(); ++t) {
        out << (t > 0 ? ",[" : "[");
        for (std::size_t s = 0; s < shown.keys.size(); ++s) {
          out << (s > 0 ? "," : "") << number(weight(shown, layer, h, t, s));
        }
        out << ']';
      }
      out << ']';
    }
    out << ']';
  }
  out << "];\n";
}

constexpr const char* kScript = R"js(
var all=function(what){return Array.prototype.slice.call(root.querySelectorAll(what));};
var lines=all('line'),shares=all('.share'),numbers=all('.number'),looks=all('.looks');
var told=root.querySelector('.told'),layer=0,head=0,pinned=-1,over=-1;
function draw(){
  var w=weights[layer][head],row=over>=0?over:pinned;
  lines.forEach(function(line,i){
    var t=Math.floor(i/keys.length),s=i%keys.length;
    line.setAttribute('stroke-opacity',row<0||row===t?w[t][s]:0);
  });
  keys.forEach(function(key,s){
    var share=row<0?0:w[row][s];
    shares[s].setAttribute('fill-opacity',0.45*share);
    numbers[s].textContent=row<0||share<0.005?'':share.toFixed(2);
  });
  looks.forEach(function(word,t){
    word.classList.toggle('chosen',t===row);
    word.setAttribute('aria-pressed',t===pinned?'true':'false');
  });
  if(row<0){told.textContent='Point at a '+unit+' on the left, or touch it.';return;}
  var order=keys.map(function(key,s){return s;});
  order.sort(function(a,b){return w[row][b]-w[row][a];});
  var most=order.filter(function(s){return w[row][s]>=0.05;}).slice(0,3).map(function(s){
    return keys[s]+' ('+unit+' '+(s+1)+') '+w[row][s].toFixed(2);
  });
  told.textContent='Layer '+(layer+1)+', '+(mean&&head+1===weights[layer].length?'mean of the heads':'head '+(head+1))+
    ': '+queries[row]+' ('+unit+' '+(row+1)+
    ') attends to '+most.join(', ')+'. '+(notes[row]||'');
}
looks.forEach(function(word,t){
  word.addEventListener('pointerenter',function(e){if(e.pointerType==='mouse'){over=t;draw();}});
  word.addEventListener('pointerleave',function(){over=-1;draw();});
  word.addEventListener('focus',function(){pinned=t;draw();});
  word.addEventListener('click',function(){pinned=t;draw();});
  word.addEventListener('keydown',function(e){
    var to=e.key==='ArrowDown'?t+1:e.key==='ArrowUp'?t-1:-1;
    if(to>=0&&to<looks.length){e.preventDefault();looks[to].focus();}
    if(e.key==='Escape'){pinned=over=-1;draw();}
    if(e.key==='Enter'||e.key===' '){e.preventDefault();pinned=t;draw();}
  });
});
all('input').forEach(function(input){
  input.addEventListener('change',function(){
    if(/_Layer$/.test(input.name)){layer=+input.value;}else{head=+input.value;}
    head=Math.min(head,weights[layer].length-1);
    draw();
  });
});
draw();
)js";

}  // namespace

std::string html_escaped(const std::string& words) {
  std::string out;
  for (const char c : words) {
    out += c == '<'   ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '&' ? "&amp;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  }
  return out;
}

std::string attention_explorer(const std::string& id, const Attentions& shown) {
  detail::check(!shown.layers.empty(), "attention_explorer: there are no layers to show");
  const std::size_t heads = shown.layers[0].heads;
  const std::size_t weights = heads * shown.queries.size() * shown.keys.size();
  for (const Attentions::Layer& layer : shown.layers) {
    detail::check(layer.heads == heads && layer.values.size() == weights,
                  "attention_explorer: a layer's weights must be [heads, queries, keys]");
  }
  std::ostringstream out;
  out << "<figure id=\"" << id << "\">\n";
  write_style(out, id);
  write_choice(out, id, "Layer", shown.layers.size());
  write_choice(out, id, "Head", heads, shown.ends_with_mean);
  write_drawing(out, shown);
  out << "<p class=\"told\" aria-live=\"polite\">Layer 1, head 1, all " << shown.unit
      << "s at once.</p>\n"
      << "<figcaption>" << html_escaped(shown.caption) << "</figcaption>\n";
  if (weights * shown.layers.size() <= kMostInTables) write_tables(out, shown);
  out << "<script>\n(function(){\nvar root=document.getElementById(" << literal(id) << ");\n";
  write_weights(out, shown);
  out << "var queries=" << list(shown.queries) << ",keys=" << list(shown.keys)
      << ",notes=" << list(shown.notes) << ",unit=" << literal(shown.unit)
      << ",mean=" << (shown.ends_with_mean ? "true" : "false") << ";" << kScript
      << "})();\n</script>\n</figure>\n";
  return out.str();
}

}  // namespace gradus
