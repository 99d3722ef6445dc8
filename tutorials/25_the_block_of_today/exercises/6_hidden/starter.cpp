// Exercise 25.6, 15 minutes: say first which mistakes the first position hides.
#include <cstdio>
#include <filesystem>

#include "tutorials/24_other_peoples_weights/gpt2_folder.h"
#include "tutorials/25_the_block_of_today/llama_folder.h"

const std::filesystem::path kCourse =
    std::filesystem::path(COURSE_TALES).parent_path() / "../../../tutorials";
const std::string kFolder = kCourse / "25_the_block_of_today/tales_llama";

/// Reorders the columns of a weight: within each head, channels 0, 2, 4, ... come first, then 1, 3,
/// 5, ... If queries and keys are reordered so, rotary() rotates what were neighbouring channels.
Tensor neighbours_apart(const Tensor& weight, Index width) {
  const Index heads = weight.size(1) / width;
  const Tensor pairs = reshape(weight, {weight.size(0), heads, width / 2, 2});
  return reshape(permute(pairs, {0, 1, 3, 2}), weight.shape());
}

int main() {
  const std::string text = read_text(COURSE_TALES);
  const Tokens tokens = Gpt2Tokenizer(kFolder).encode(text.substr(text.size() * 29 / 30));
  const auto first = tokens.begin() + 100;
  const IndexTensor inputs({1, 64}, {first, first + 64});
  const NoGrad no_grad;
  const Tensor right = read_llama(kFolder)(inputs);

  const auto each = [](const std::function<void(LlamaBlock&)>& change) {
    return [=](Llama& x) {
      for (LlamaBlock& layer : x.layers) change(layer);
    };
  };
  const Index width = read_llama(kFolder).config.width();
  const std::pair<const char*, std::function<void(Llama&)>> mistakes[] = {
      {"neighbouring channels rotated", each([=](LlamaBlock& x) {
         x.self_attn.q_proj.weight = neighbours_apart(x.self_attn.q_proj.weight, width);
         x.self_attn.k_proj.weight = neighbours_apart(x.self_attn.k_proj.weight, width);
       })},
      {"base 500000 instead of 10000",
       [=](Llama& x) { x.rotate_by(rotary_table(64, width, 500000)); }},
      {"positions counted from 1",
       [=](Llama& x) { x.rotate_by(slice(rotary_table(65, width), 0, 1)); }},
      {"q_proj not transposed", each([](LlamaBlock& x) {
         x.self_attn.q_proj.weight = permute(x.self_attn.q_proj.weight, {1, 0});
       })},
      {"o_proj not transposed", each([](LlamaBlock& x) {
         x.self_attn.o_proj.weight = permute(x.self_attn.o_proj.weight, {1, 0});
       })},
      {"the two heads of keys exchanged", each([](LlamaBlock& x) {
         const auto halves = split(x.self_attn.k_proj.weight, 2, 1);
         x.self_attn.k_proj.weight = concat({halves[1], halves[0]}, 1);
       })},
      {"the two heads of values exchanged", each([](LlamaBlock& x) {
         const auto halves = split(x.self_attn.v_proj.weight, 2, 1);
         x.self_attn.v_proj.weight = concat({halves[1], halves[0]}, 1);
       })},
      {"gate and up exchanged",
       each([](LlamaBlock& x) { std::swap(x.mlp.gate_proj, x.mlp.up_proj); })}};

  std::printf("logits apart at position              0         1        63    loss of 64 tokens\n");
  const auto show = [&](const char* what, const Llama& model) {
    const Tensor logits = model(inputs);
    std::printf("%-32s", what);
    for (const Index t : {0, 1, 63}) {
      double most = 0;
      for (Index i = 0; i < logits.size(-1); ++i) {
        const Index at = t * logits.size(-1) + i;
        const double apart = std::abs(double{logits.data()[at]} - right.data()[at]);
        most = apart <= most ? most : apart;  // a NaN, too, is a difference, and stays one
      }
      char said[16];
      std::snprintf(said, sizeof said, most <= 1e-4 ? "same" : "%.1e", most);
      std::printf("%10s", said);
    }
    const IndexTensor targets({1, 64}, {first + 1, first + 65});
    std::printf("%21.3f\n", cross_entropy(logits, targets).item());
  };
  show("none", read_llama(kFolder));
  for (const auto& [what, change] : mistakes) {
    Llama model = read_llama(kFolder);
    change(model);
    show(what, model);
  }
}
