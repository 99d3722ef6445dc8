// Chapter 25: the block of Llama, its folder, and texts that are longer than in training.
#include <cstring>
#include <filesystem>
#include <iostream>

#include "figures.h"
#include "pocket/llama.h"
#include "pocket/weights.h"
#include "pocket/write.h"
#include "tutorials/24_other_peoples_weights/gpt2_folder.h"
#include "tutorials/25_the_block_of_today/lengths.h"
#include "tutorials/25_the_block_of_today/llama_folder.h"
#include "tutorials/25_the_block_of_today/rungs.h"
#include "tutorials/common/keep_memory.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

namespace {

const std::string kCourse =
    std::filesystem::path(COURSE_TALES).parent_path().parent_path().parent_path().parent_path() /
    "tutorials";
const std::string kHere = kCourse + "/25_the_block_of_today/", kLlama = kHere + "tales_llama";

// [opening]
/// The tensors of the first block in a GPT-2's folder and in a Llama's.
void opening() {
  const Part part("opening");
  const NamedTensors one =
      read_safetensors(kCourse + "/24_other_peoples_weights/fables_gpt/model.safetensors");
  const NamedTensors other = read_safetensors(kLlama + "/model.safetensors");
  const auto shape = [](const NamedTensors& tensors, const std::string& name) {
    return name.empty() ? "" : course::words(tensors.at(name).shape());
  };
  print_shapes("chapter 24's GPT-2", "", "a Llama", "");
  const auto in_block = [&](const std::string& a, const std::string& b) {
    print_shapes(a, shape(one, a.empty() ? "" : "h.0." + a), b,
                 shape(other, b.empty() ? "" : "model.layers.0." + b));
  };
  in_block("ln_1.weight", "input_layernorm.weight"), in_block("ln_1.bias", "");
  in_block("attn.c_attn.weight", "self_attn.q_proj.weight");
  in_block("attn.c_attn.bias", "self_attn.k_proj.weight");
  in_block("", "self_attn.v_proj.weight");
  in_block("attn.c_proj.weight", "self_attn.o_proj.weight"), in_block("attn.c_proj.bias", "");
  in_block("ln_2.weight", "post_attention_layernorm.weight"), in_block("ln_2.bias", "");
  in_block("mlp.c_fc.weight", "mlp.gate_proj.weight");
  in_block("mlp.c_fc.bias", "mlp.up_proj.weight");
  in_block("mlp.c_proj.weight", "mlp.down_proj.weight"), in_block("mlp.c_proj.bias", "");
  std::printf("outside the blocks\n");
  print_shapes("wte.weight", shape(one, "wte.weight"), "embed_tokens.weight",
               shape(other, "model.embed_tokens.weight"));
  print_shapes("wpe.weight", shape(one, "wpe.weight"), "", "");
  print_shapes("ln_f.weight", shape(one, "ln_f.weight"), "norm.weight",
               shape(other, "model.norm.weight"));
  print_shapes("ln_f.bias", shape(one, "ln_f.bias"), "", "");
}
// [opening]

// [norms]
void norms() {
  const Part part("norms");
  const Tensor x = tensor({1, 2, 3, 6}), one = ones({4});
  const auto show = [&](const char* name, const Tensor& x) {
    print_norms(name, layer_norm(x, one, zeros({4})), rms_norm(x, one));
  };
  show("x", x);
  show("10 x", 10 * x);
  show("x + 10", x + 10);
}
// [norms]

// [networks]
void networks() {
  const Part part("networks");
  KeySequence keys(1);
  for (const Index channels : {48, 64, 768}) {
    FeedForward plain(channels, 4 * channels, keys);
    SwiGlu gated(channels, 8 * channels / 3, keys);
    const Index biases = 5 * channels;
    print_networks(channels, count(parameters(plain)) - biases, 8 * channels / 3,
                   count(parameters(gated)));
  }
}
// [networks]

// [caches]
void caches() {
  const Part part("caches");
  print_cache("GPT-2, smallest", 12, 12, 12, 64);
  print_cache("Llama 2, 7B", 32, 32, 32, 128);
  print_cache("Llama 3, 8B", 32, 32, 8, 128);
  print_cache("Llama 3, 70B", 80, 64, 8, 128);
}
// [caches]

// [folder]
/// Reads the folder, and compares tokens and logits with PyTorch's.
void folder(const Llama& model, const Tokens& tokens) {
  const Part part("folder");
  const NoGrad no_grad;
  const LlamaConfig& c = model.config;
  std::printf("%d layers, C %d, H %d, K %d, base %.0f, %d positions\n", c.num_hidden_layers,
              int(c.hidden_size), c.num_attention_heads, c.num_key_value_heads, c.rope_theta,
              int(c.max_position_embeddings));
  const Flat theirs = flat_json(read_text(kHere + "answers/tokens.json"));
  int same = 0, all = 0;
  for (std::string path; theirs.contains(path = "held out/" + std::to_string(all)); ++all) {
    same += std::stoi(theirs.at(path)) == tokens.at(all);
  }
  std::printf("tokens: %d of %d are Python's\n", same, all);
  const Tensor right =
      read_safetensors(kHere + "answers/logits.safetensors").at("llama");  // [64, V]
  const Tensor ours = model(IndexTensor({1, 64}, {tokens.begin(), tokens.begin() + 64}));
  for (const Index t : {0, 63}) {
    std::printf("position %2d:", int(t));
    for (Index i = 0; i < 5; ++i) std::printf("  %.4f", ours.data()[t * ours.size(-1) + i]);
    std::printf("\n");
  }
  double most = 0;
  for (Index i = 0; i < right.size(); ++i) {
    const double apart = std::abs(double{ours.data()[i]} - right.data()[i]);
    most = apart <= most ? most : apart;  // a NaN, too, is a difference, and stays one
  }
  std::printf(most < 1e-4 ? "largest difference of %d logits: < 1e-04\n"
                          : "largest difference of %d logits: %.1e\n",
              int(right.size()), most);
  const Tokens first(tokens.begin(), tokens.begin() + 10 * 64 + 1);
  std::printf("held-out loss %.4f\n", mean_loss(first, 64, std::cref(model)));
}
// [folder]

// [write]
/// Writes with a cache: after the prompt, each step reads one token.
void write(const Llama& model, const Gpt2Tokenizer& tokenizer, const std::string& prompt) {
  const Part part("write");
  const NoGrad no_grad;
  std::vector<GroupedAttention::KeyValues> caches(model.layers.size());
  Tokens text, unread = tokenizer.encode(prompt);
  Index first = 0;
  while (first + std::ssize(unread) < model.config.max_position_embeddings) {
    const Index more = std::ssize(unread);
    const Tensor logits = slice(model(IndexTensor({1, more}, unread), &caches, first), 1, -1);
    first += more;
    unread = {choose_token({logits.begin(), logits.end()}, {.temperature = 0}, 0)};
    text.push_back(unread[0]);
  }
  Index numbers = 0;
  for (const auto& cache : caches) numbers += cache.keys.size() + cache.values.size();
  std::printf("%s\n", course::wrapped(prompt + tokenizer.pairs.decode(text)).c_str());
  std::printf("cache: %d positions, %d numbers each\n", int(first), int(numbers / first));
}
// [write]

}  // namespace

int main(int argc, char** argv) {
  course::begin_chapter(argc, argv);
  course::keep_memory();
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    climb();
    longer();
    return 0;
  }
  opening();
  norms();
  networks();
  caches();
  step_time();
  const Llama model = read_llama(kLlama);
  const Gpt2Tokenizer tokenizer(kLlama);
  const std::string tales = read_text(COURSE_TALES);
  const Tokens tokens = tokenizer.encode(tales.substr(tales.size() * 29 / 30));
  folder(model, tokens);
  write(model, tokenizer, "The fox");
  lengths(model, tokens);
  pairs(model, tokens);
}
