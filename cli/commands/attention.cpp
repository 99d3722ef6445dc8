/// @file
/// `gradus attention`: shows which tokens attend to which in a trained model.

#include <algorithm>
#include <filesystem>

#include "autograd/check.h"
#include "cli/attention/map.h"
#include "cli/program/browser.h"
#include "cli/program/flags.h"
#include "cli/run/checkpoints.h"
#include "cli/tasks/settings.h"
#include "nn/text/file.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

constexpr const char* kAttentionExamples =
    "Without --layer, the command prints a table of all heads: the mean distance to attended\n"
    "tokens, in tokens; the entropy of the weights, in bits; the share of the first token;\n"
    "the share of the previous token. With --layer and --head it draws one head, in the\n"
    "terminal or to --out. With only --out it draws all heads. --open writes an interactive\n"
    "page to --out, or to attention.html, and opens it. In a browser, point at a cell to see\n"
    "its tokens and its weight. A blank in a token is shown as ·, a new line as ↵. With\n"
    "--part cross, rows are the words of the translation, and columns are the words of the\n"
    "source.\n"
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
  check(has_parts || asked.empty(), "--part: only for a translator (leave it out)");
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
  Flags flags("attention", "Shows which tokens attend to which in a trained model.");
  flags.group("Model");
  add_source_flags(flags, out_dir, which);
  flags.group("Input");
  flags.add("--text", input.text, "text to show", "TEXT");
  flags.add("--target", input.target, "translation of --text; default: the model's own", "TEXT",
            {.of = on_examples(ModelKind::kTranslator)});
  flags.add("--image", input.image, "number of a drawn digit (vit)", 0,
            {.of = on_examples(ModelKind::kVision)});
  flags.group("Output");
  flags.add("--layer", layer, "layer to draw, from 1; needs --head", 1);
  flags.add("--head", head, "head to draw, from 1; needs --layer", 1);
  flags.add("--part", part, "part of a translator: encoder, decoder or cross [cross]", "PART", {},
            {"encoder", "decoder", "cross"});
  flags.add("--all", all, "draw all heads to --out (default if only --out is given)");
  flags.add("--out", out, "SVG file of a drawing, or HTML file of a page", "FILE");
  flags.add("--open", open, "write a page and open it in the browser");
  flags.footer(kAttentionExamples);
  if (!flags.parse(arguments)) {
    return 0;
  }
  const bool one = layer > 0 || head > 0;
  check(!one || (layer > 0 && head > 0), "--layer and --head: pass both or neither");
  check(!one || !all, "--all: cannot be combined with --layer and --head (leave them out)");
  check(one || part.empty(), "--part: needs --layer and --head");
  check(!all || !out.empty(), "--all: needs an output file (add --out heads.svg)");
  const bool page = open || out.ends_with(".html");
  check(!page || !one,
        "--open: cannot be combined with --layer and --head, as a page shows all heads (leave them "
        "out)");
  check(!page || out.empty() || out.ends_with(".html"), "--open: --out must end in .html, got ",
        out, " (leave out --out, or use --out FILE.html)");
  input.target_given = flags.given("--target");
  const std::filesystem::path folder = chosen_checkpoint(out_dir, which);
  check_owners(flags, kind_of_checkpoint(folder));
  const std::vector<LayerAttention> layers = attention_of(folder, input);
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
