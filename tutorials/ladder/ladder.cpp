// The whole ladder: `build/tutorials/ladder > tutorials/ladder/ladder.txt`, which takes some
// minutes, on the reader's library alone.
#include "one_head.h"
#include "stack.h"
#include "tutorials/common/keep_memory.h"

namespace {

using namespace ladder;

/// The table as each chapter shows it: ladder.txt, which the pages quote, is the output of this
/// program.
void climb_all(const Tales& tales) {
  const Index vocab = tales.characters.vocab_size();
  std::string table = "                 loss  five seeds    writes\n";
  const auto part = [&](const char* chapter) {
    std::printf("[upto_%s]\n%s[upto_%s]\n\n", chapter, table.c_str(), chapter);
  };
  const auto stack = [&](const char* name, const Parts& parts) {
    table += climb(tales, name, [&](auto& keys) { return Stack(vocab, parts, keys); });
  };
  table += climb(tales, "token alone", [&](auto& keys) { return TokenAlone(vocab, keys); });
  part("07");
  table += climb(tales, "one causal head", [&](auto& keys) { return OneHead(vocab, keys); });
  part("09");
  const auto heads = [&](bool positions) {
    return [&, positions](auto& keys) { return ManyHeads(vocab, 4, positions, keys); };
  };
  table += climb(tales, "four heads", heads(false));
  part("10");
  table += climb(tales, "positions", heads(true));
  part("12");
  stack("feed-forward", {});
  stack("residual", {.residual = true});
  stack("norm", {.residual = true, .norm = true});
  part("14");
  stack("four blocks", {.residual = true, .norm = true, .blocks = 4});
  stack("without norm", {.residual = true, .blocks = 4});
  stack("without both", {.blocks = 4});
  part("15");
}

}  // namespace

int main() {
  course::keep_memory();
  climb_all(Tales());
}
