// Chapter 24: a GPT-2 and a BERT of other programs, read, compared and written by pocket.
#include <cstring>
#include <numeric>

#include "tutorials/24_other_peoples_weights/bert_judged.h"
#include "tutorials/24_other_peoples_weights/file_format.h"
#include "tutorials/24_other_peoples_weights/same_logits.h"
#include "tutorials/24_other_peoples_weights/same_tokens.h"

namespace {

// [folder]
/// A file's tokens, by the vocabulary and merges of any folder of GPT-2's layout.
void print_tokens(const std::string& folder, const std::string& file) {
  for (const std::int32_t token : Gpt2Tokenizer(folder).encode(read_text(file))) {
    std::printf("%d ", token);
  }
  std::printf("\n");
}

/// Any folder of GPT-2's layout, such as OpenAI's own.
void read_folder(const std::string& folder) {
  const Gpt2Tokenizer tokenizer(folder);
  Gpt model = read_gpt2(folder);
  std::printf("%d blocks, %d channels, %d tokens, %d parameters\n", model.config.n_layer,
              int(model.config.n_embd), int(model.config.vocab_size),
              int(count(parameters(model))));
  const std::string text = "Hello, I'm a language model,";
  const Tokens prompt = tokenizer.encode(text);
  std::printf("tokens");
  for (const std::int32_t token : prompt) std::printf(" %d", token);
  const auto x = stages(model, IndexTensor({1, std::ssize(prompt)}, prompt));
  const auto names = names_of_stages(model);
  std::printf("\nx of the last token, its first three numbers, after\n");
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::printf("%-13s", names[i].c_str());
    const Scalar* last = x[i].data() + x[i].size() - model.config.n_embd;
    for (int j = 0; j < 3; ++j) std::printf(" %8.3f", last[j]);
    std::printf("\n");
  }
  const std::vector<Scalar> logits = InferenceSession(model).step(prompt);
  std::printf("logits");
  int shown = 0;  // four a line
  for (const std::size_t token : {0, 1, 50, 100, 407, 1000, 10000, 40000}) {
    if (token >= logits.size()) continue;
    std::printf("%s  of %d: %.3f", shown++ == 4 ? "\n      " : "", int(token), logits[token]);
  }
  std::printf("\nlargest");
  std::vector<std::int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](auto token) { return logits[token]; });
  order.resize(std::min<std::size_t>(5, order.size()));
  for (const std::int32_t token : order) {
    std::printf("  '%s' %.3f", tokenizer.pairs.decode({token}).c_str(), logits[token]);
  }
  const Tokens more = generate(model, prompt, 11, {.temperature = 0}, {1});
  std::printf("\ntext   %s%s\n", text.c_str(), tokenizer.pairs.decode(more).c_str());
}
// [folder]

}  // namespace

int main(int argc, char** argv) {
  const int at = argc > 1 && std::strcmp(argv[1], "--folder") == 0 ? 1 : 2;  // behind the figures'
  if (argc > at && std::strcmp(argv[at], "--folder") == 0) {
    try {
      check(argc > at + 1, "--folder needs a folder in GPT-2's layout");
      begin_chapter(1, argv);
      argc > at + 2 ? print_tokens(argv[at + 1], argv[at + 2]) : read_folder(argv[at + 1]);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "other_weights: %s\n", error.what());
      return 1;
    }
    return 0;
  }
  begin_chapter(argc, argv);
  const Judge judge;
  opening(judge);
  const std::string file = read_text(kGpt + "/model.safetensors");
  config();
  first_bytes(file);
  entries(file);
  refused();
  names();
  logits(judge);
  mistakes(judge);
  tokens();
  details(judge);
  sixteen_bits(judge);
  begins(judge);
  bert_details(BertJudge());
  written();
  const Part part("folder");
  read_folder(kGpt);
}
