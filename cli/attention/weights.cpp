#include "cli/attention/weights.h"

#include <array>
#include <cstdio>
#include <stdexcept>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/shape.h"
#include "cli/program/unknown_words.h"
#include "nn/data/items.h"
#include "nn/examples/glyphs.h"
#include "nn/files/bert_files.h"
#include "nn/files/checkpoint.h"
#include "nn/files/gpt_files.h"
#include "nn/files/model_configs.h"
#include "nn/files/tokenizer_files.h"
#include "nn/layers/attention.h"
#include "nn/module.h"
#include "nn/names.h"
#include "nn/tasks/masked_word_task.h"
#include "nn/tasks/rows.h"
#include "nn/tasks/translation_task.h"
#include "nn/text/special_tokens.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

using Labels = std::vector<std::string>;

constexpr std::size_t kLongestLabel = 16;  // characters

/// The weights of the first text, without the batch axis.
Tensor of_first(const Tensor& weights) {
  const Shape& s = weights.shape();
  return reshape(slice(weights, 0, 0, 1), {s[1], s[2], s[3]});
}

Labels labels_of(const Tokenizer& tokenizer, const TokenRow& tokens, const SpecialTokens* special) {
  Labels labels;
  for (const std::int32_t token : tokens) {
    labels.push_back(token < tokenizer.vocab_size() ? token_label(tokenizer.piece(token))
                     : token == special->begin      ? "<SOS>"
                                                    : "<EOS>");
  }
  return labels;
}

/// The tokens of --text or --target, from 1 to `most`.
TokenRow tokens_of(const char* flag, const Tokenizer& tokenizer, const std::string& text,
                   Index most) {
  check(!text.empty(), flag, ": needs a text, got an empty one (pass the text to show)");
  TokenRow tokens;
  try {
    note_unknown_words(tokenizer, {text}, flag);
    tokens = tokenizer.encode(text);
  } catch (const TextError& error) {
    fail(flag, ": ", error.what());
  }
  check(!tokens.empty() && std::ssize(tokens) <= most, flag, ": must have 1 to ", most,
        " tokens, got ", tokens.size(), " (use a shorter text)");
  return tokens;
}

IndexTensor as_batch(const TokenRow& tokens) { return padded({tokens}, 0); }

const std::vector<Tensor>& finite_weights(const AttentionRecord& record) {
  for (const Tensor& weights : record.weights()) {
    require_numbers("the weights of the attention", weights);
  }
  return record.weights();
}

std::vector<LayerAttention> all_layers(const AttentionRecord& record, const Labels& labels,
                                       bool causal) {
  std::vector<LayerAttention> layers;
  for (const Tensor& weights : finite_weights(record)) {
    layers.push_back({.part = "",
                      .layer = static_cast<int>(layers.size()) + 1,
                      .rows = labels,
                      .columns = labels,
                      .weights = of_first(weights),
                      .causal = causal,
                      .image = Tensor(),
                      .patch = 0});
  }
  return layers;
}

std::vector<LayerAttention> of_gpt(const fs::path& folder, const AttentionInput& input) {
  const Checkpoint checkpoint = load_checkpoint(folder);
  const Tokenizer& tokenizer = *checkpoint.tokenizer;
  const Index begin = std::ssize(with_begin(tokenizer, {}));
  const Index most = checkpoint.model.config.n_positions - begin;
  const TokenRow tokens = with_begin(tokenizer, tokens_of("--text", tokenizer, input.text, most));
  const AttentionRecord record;
  checkpoint.model.features(as_batch(tokens));
  return all_layers(record, labels_of(tokenizer, tokens, nullptr), true);
}

std::vector<LayerAttention> of_classifier(const fs::path& folder, const AttentionInput& input) {
  SequenceClassifier model(load_classifier_config(folder));
  const std::unique_ptr<Tokenizer> tokenizer = load_tokenizer(folder);
  check_vocabulary(folder, model.config.vocab_size, *tokenizer);
  load_parameters(folder, parameters(model));
  const TokenRow tokens =
      tokens_of("--text", *tokenizer, input.text, model.config.layer.max_length);
  const AttentionRecord record;
  model(as_batch(tokens), SpecialTokens(*tokenizer).pad);
  return all_layers(record, labels_of(*tokenizer, tokens, nullptr), false);
}

std::vector<LayerAttention> of_bert(const fs::path& folder, const AttentionInput& input) {
  const BertModel bert = load_bert(folder);
  const SpecialTokens special(*bert.tokenizer);
  const Index most = bert.model.config.layer.max_length - 2;  // leaves room for begin and end
  TokenRow tokens = tokens_of("--text", *bert.tokenizer, input.text, most);
  tokens.insert(tokens.begin(), special.begin);
  tokens.push_back(special.end);
  const AttentionRecord record;
  bert.model.features(as_batch(tokens));
  return all_layers(record, labels_of(*bert.tokenizer, tokens, &special), false);
}

std::vector<LayerAttention> of_translator(const fs::path& folder, const AttentionInput& input) {
  const Translator translator = load_translator(folder);
  const Tokenizer& tokenizer = *translator.tokenizer;
  const SpecialTokens special(tokenizer);
  const Index most = translator.model.config.layer.max_length - 1;  // leaves room for begin or end
  TokenRow source = tokens_of("--text", tokenizer, input.text, most);
  const std::string target =
      input.target_given ? input.target : translate(translator, {input.text}).front();
  check(input.target_given || !target.empty(),
        "the model's own translation is empty (pass one with --target)");
  TokenRow written = tokens_of("--target", tokenizer, target, most);
  TokenRow read = written;
  read.insert(read.begin(), special.begin);
  written.push_back(special.end);
  source.push_back(special.end);
  const AttentionRecord record;
  const IndexTensor src = as_batch(source);
  translator.model(src, as_batch(read), padding_mask(src, special.pad));
  const Labels of_source = labels_of(tokenizer, source, &special);
  const Labels of_read = labels_of(tokenizer, read, &special);
  const Labels of_written = labels_of(tokenizer, written, &special);
  std::vector<LayerAttention> layers, cross;
  // First the encoder's layers, and then the two kinds of each of the decoder's layers in turn.
  const std::vector<Tensor>& weights = finite_weights(record);
  const std::size_t n = weights.size() / 3;
  for (std::size_t i = 0; i < n; ++i) {
    layers.push_back({"encoder", static_cast<int>(i) + 1, of_source, of_source,
                      of_first(weights[i]), false, Tensor(), 0});
  }
  for (std::size_t i = 0; i < n; ++i) {
    const int layer = static_cast<int>(i) + 1;
    layers.push_back(
        {"decoder", layer, of_read, of_read, of_first(weights[n + 2 * i]), true, Tensor(), 0});
    cross.push_back({"cross", layer, of_written, of_source, of_first(weights[n + 2 * i + 1]), false,
                     Tensor(), 0});
  }
  layers.insert(layers.end(), cross.begin(), cross.end());
  return layers;
}

std::vector<LayerAttention> of_vision(const fs::path& folder, const AttentionInput& input) {
  VisionTransformer model(load_vision_config(folder));
  load_parameters(folder, parameters(model));
  const VisionConfig& c = model.config;
  // Draws the same digits for every seed of the run. Their numbers are far above the numbers of all
  // digits that the model was trained on.
  constexpr Index kFirst = 1'000'000;
  check(input.image >= 0 && input.image < kFirst, "--image: must be from 0 to ", kFirst - 1,
        ", got ", input.image);
  GlyphOptions size;
  size.height = c.height;
  size.width = c.width;
  const LabelledImages digit = draw_digits(1, 1, kFirst + input.image, size);
  const AttentionRecord record;
  model(digit.images);
  Labels labels = {"class"};
  for (Index row = 1; row <= c.height / c.patch; ++row) {
    for (Index column = 1; column <= c.width / c.patch; ++column) {
      labels.push_back(text(row, ",", column));
    }
  }
  std::vector<LayerAttention> layers = all_layers(record, labels, false);
  for (LayerAttention& layer : layers) {
    layer.image = reshape(digit.images, {c.height, c.width});
    layer.patch = c.patch;
  }
  return layers;
}

}  // namespace

std::string LayerAttention::title(int head) const {
  return gradus::text("Layer ", layer, ", head ", head, part.empty() ? "" : " (" + part + ")",
                      ": which tokens attend to which");
}

std::string token_label(const std::string& piece) {
  std::string label;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < piece.size(); ++characters) {
    if (characters == kLongestLabel) {
      return label + "…";
    }
    const Utf8Char c = read_utf8(piece, at);
    const char byte = piece[at];
    if (c.state != Utf8::kValid || (c.code_point < 0x20 && byte != '\n' && byte != '\t') ||
        (c.code_point >= 0x7f && c.code_point <= 0xa0)) {
      for (std::size_t i = 0; i < c.length; ++i) {
        std::array<char, 5> hex{};
        std::snprintf(hex.data(), hex.size(), "\\x%02x",
                      static_cast<unsigned>(static_cast<unsigned char>(piece[at + i])));
        label += hex.data();
      }
    } else {
      label += byte == ' '    ? "·"
               : byte == '\n' ? "↵"
               : byte == '\t' ? "⇥"
                              : piece.substr(at, c.length);
    }
    at += c.length;
  }
  return label;
}

std::vector<LayerAttention> attention_of(const fs::path& folder, const AttentionInput& input) {
  const NoGrad no_grad;
  const ModelKind kind = kind_of_checkpoint(folder);
  check(kind != ModelKind::kVision || input.text.empty(),
        "--text: not for a vit (choose a drawn digit with --image)");
  switch (kind) {
    case ModelKind::kGpt:
      return of_gpt(folder, input);
    case ModelKind::kClassifier:
      return of_classifier(folder, input);
    case ModelKind::kTranslator:
      return of_translator(folder, input);
    case ModelKind::kVision:
      return of_vision(folder, input);
    case ModelKind::kBert:
      return of_bert(folder, input);
    default:
      detail::fail(folder.string(), ": a ", name_of(kind), " has no attention to show");
  }
}

}  // namespace gradus
