/// @file
/// `gradus attention`: shows which tokens attend to which in a trained model.

#include <algorithm>
#include <filesystem>

#include "autograd/check.h"
#include "cli/attention/map.h"
#include "cli/program/browser.h"
#include "cli/program/flags.h"
#include "cli/run/checkpoints.h"
#include "nn/text/file.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

constexpr const char* kAttentionExamples =
    "Without --layer it prints a table of all heads: the mean distance that a head looks over, in\n"
    "tokens; the entropy of its weights, in bits; the share of the first token; the share of the\n"
    "one before. With --layer and --head it draws that head, in the terminal or to --out; --out "
    "alone\n"
    "draws all heads. In a browser, pointing at a cell shows its tokens and its weight. --open "
    "writes\n"
    "attention.html, or the page that --out names, to point at tokens in, and opens it. Layers and "
    "heads count from 1. A blank in a token is shown "
    "as\n"
    "·, a new line as ↵. Of a translator, the part is encoder, decoder, or cross, in which the "
    "rows\n"
    "are the words as they are written.\n"
    "\n"
    "Examples:\n"
    "  gradus attention --text 'The fox and the crow'\n"
    "  gradus attention --text 'The fox and the crow' --layer 2 --head 3\n"
    "  gradus attention --text 'The fox and the crow' --layer 2 --head 3 --out head.svg\n"
    "  gradus attention --text 'The fox and the crow' --out heads.svg\n"
    "  gradus attention --text 'The fox and the crow' --open\n"
    "  gradus attention --out_dir=out-translator --text 'The girl sings.' --layer 1 --head 2\n";

/// The layer that --part and --layer select.
const LayerAttention& find_layer(const std::vector<LayerAttention>& layers,
                                 const std::string& asked, int number) {
  const bool has_parts = !layers.front().part.empty();
  check(has_parts || asked.empty(), "--part: has no meaning for a model that is all of one part");
  const std::string part = has_parts && asked.empty() ? "cross" : asked;
  int count = 0;
  for (const LayerAttention& layer : layers) {
    if (layer.part == part && layer.layer == number) {
      return layer;
    }
    count += layer.part == part;
  }
  check(count > 0, "--part: must be encoder, decoder or cross, got '", part, "'");
  fail("--layer: must be from 1 to ", count, ", got ", number);
}

/// A text with blanks in place of line ends and other control characters.
std::string one_line(std::string words) {
  std::ranges::replace_if(
      words, [](char c) { return c >= 0 && c < 0x20; }, ' ');
  return words;
}

void write(const std::string& file, const std::string& svg) {
  write_file(file, svg);
  note("wrote " + file);
}

}  // namespace

int attention_command(const Arguments& arguments) {
  std::string out_dir, which = "best", part, out;
  AttentionInput input;
  int layer = 0, head = 0;
  bool all = false, open = false;
  Flags flags("attention", "Shows which tokens a trained model looks at.");
  flags.group("Model");
  flags.add("--out_dir", out_dir, "the folder of a run, or of a model", "DIR");
  flags.add("--checkpoint", which, "best, last or a checkpoint folder", "WHICH");
  flags.group("What it reads");
  flags.add("--text", input.text, "a text", "TEXT");
  flags.add("--target", input.target, "its translation; the model's own unless given", "TEXT");
  flags.add("--image", input.image, "the number of a drawn digit, of a vit", 0);
  flags.group("What is shown");
  flags.add("--layer", layer, "a layer", 1);
  flags.add("--head", head, "a head of it", 1);
  flags.add("--part", part, "of a translator: encoder, decoder or cross (which it is without)",
            "PART");
  flags.add("--all", all, "all heads, which --out alone draws too");
  flags.add("--out", out, "an SVG file to draw to, or an HTML file for a page", "FILE");
  flags.add("--open", open, "write a page, and open it in the browser");
  flags.footer(kAttentionExamples);
  if (!flags.parse(arguments)) {
    return 0;
  }
  const bool one = layer > 0 || head > 0;
  check(!one || (layer > 0 && head > 0), "--layer and --head: one needs the other");
  check(!one || !all, "--all: draws all heads (leave out --layer and --head)");
  check(one || part.empty(), "--part: needs --layer and --head");
  check(!all || !out.empty(), "--all: needs a file to draw to (add --out heads.svg)");
  const bool page = open || out.ends_with(".html");
  check(!page || !one, "--open: the page has all heads (leave out --layer and --head)");
  check(!page || out.empty() || out.ends_with(".html"),
        "--open: writes a page (name it --out FILE.html, or leave out --out)");
  input.target_given = flags.given("--target");
  const std::vector<LayerAttention> layers = attention_of(chosen_checkpoint(out_dir, which), input);
  const std::string caption =
      input.text.empty() ? text("drawn digit ", input.image) : one_line(input.text);
  if (page) {
    out = out.empty() ? "attention.html" : out;
    write(out, attention_page(layers, caption));
    if (open) open_in_browser(out);
  } else if (!out.empty() && !one) {
    write(out, attention_grid_svg(layers, caption));
  } else if (one) {
    const LayerAttention& chosen = find_layer(layers, part, layer);
    check(head <= chosen.heads(), "--head: must be from 1 to ", chosen.heads(), ", got ", head);
    if (out.empty()) {
      print(attention_text(chosen, head));
    } else {
      write(out, attention_svg(chosen, head));
    }
  } else {
    print(attention_table(layers));
  }
  return 0;
}

}  // namespace gradus
