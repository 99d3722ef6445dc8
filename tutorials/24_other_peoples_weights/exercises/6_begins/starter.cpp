// Exercise 24.6, 10 minutes: say first where each mistake begins to show.
#include <cstdio>
#include <filesystem>

#include "tutorials/24_other_peoples_weights/gpt2_folder.h"

const std::filesystem::path kRoot =
    std::filesystem::path(COURSE_FABLES).parent_path() / ".." / ".." / "..";
const std::string kFolder = kRoot / "tutorials/24_other_peoples_weights/fables_gpt";

/// Exchanges two rows of a table.
void exchange(Tensor& x, Index one, Index other) {
  Scalar* rows = x.mutable_data();
  std::swap_ranges(rows + one * x.size(1), rows + (one + 1) * x.size(1), rows + other * x.size(1));
}

/// x after the embedding, after each block and after ln_f; then logits and probabilities.
std::vector<Tensor> all_stages(const Gpt& model, const IndexTensor& tokens) {
  const NoGrad no_grad;
  std::vector<Tensor> x = stages(model, tokens);
  x.push_back(model.logits(x.back()));
  x.push_back(exp(log_softmax(x.back())));
  return x;
}

int main() {
  const Tokens tokens = Gpt2Tokenizer(kFolder).encode("The fox saw the hen, and ran.");
  const IndexTensor text({1, std::ssize(tokens)}, tokens);
  const std::vector<Tensor> right = all_stages(read_gpt2(kFolder), text);
  std::int32_t absent = 300;  // and the next one: neither is in the text
  const auto occurs = [&](std::int32_t token) {
    return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
  };
  while (occurs(absent) || occurs(absent + 1)) ++absent;

  const std::pair<const char*, std::function<void(Gpt&)>> mistakes[] = {
      {"wpe: rows 3 and 4 exchanged", [&](Gpt& x) { exchange(x.wpe.weight, 3, 4); }},
      {"wte: rows of two absent tokens",
       [&](Gpt& x) { exchange(x.wte.weight, absent, absent + 1); }},
      {"wte: 0.5 added to all its numbers",
       [](Gpt& x) { x.wte.weight = x.wte.weight + Scalar(0.5); }},
      {"block 0: the values' bias is 0",
       [](Gpt& x) { x.h[0].attn.value.bias = zeros(x.h[0].attn.value.bias.shape()); }},
      {"block 1: attn.c_proj transposed",
       [](Gpt& x) {
         x.h[1].attn.output.weight = permute(x.h[1].attn.output.weight, {1, 0});
       }},
      {"ln_f: its bias is 0", [](Gpt& x) { x.ln_f.bias = zeros(x.ln_f.bias.shape()); }}};
  std::printf(
      "%d tokens%26sembedding  block 0  block 1  ln_f     logits   probs      from position\n",
      int(tokens.size()), "");
  for (const auto& [what, change] : mistakes) {
    Gpt model = read_gpt2(kFolder);
    change(model);
    const std::vector<Tensor> other = all_stages(model, text);
    Index first = text.size();  // position whose logits differ
    std::printf("%-35s", what);
    for (std::size_t i = 0; i < right.size(); ++i) {
      double most = 0;
      for (Index j = 0; j < right[i].size(); ++j) {
        const double apart = std::abs(double{other[i].data()[j]} - right[i].data()[j]);
        most = apart <= most ? most : apart;  // a NaN, too, is a difference, and stays one
        const bool logits = i + 2 == right.size();
        if (logits && !(apart <= 1e-4)) first = std::min(first, j / right[i].size(-1));
      }
      std::printf(most <= 1e-4 ? "same     " : "%-9.1e", most);
      if (i == 0) std::printf("  ");
    }
    std::printf("  %s\n", first < text.size() ? std::to_string(first).c_str() : "none");
  }
}
