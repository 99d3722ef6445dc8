/// @file
/// A folder in the layout of Hugging Face's BERT, and BERT's computations that differ from Bert's.
#pragma once

#include "pocket/bert.h"
#include "tutorials/24_other_peoples_weights/gpt2_folder.h"

// [from_bert]
/// BERT's tensors under the names of Bert. BERT's matrices are [out, in], ours [in, out].
inline NamedTensors from_bert(const NamedTensors& theirs) {
  NamedTensors ours;
  for (const auto& [name, x] : theirs) {
    if (name.find("seq_relationship") != name.npos) continue;  // does the second text follow?
    const bool table = name.find("embeddings") != name.npos;
    ours[name] = x.rank() == 2 && !table ? permute(x, {1, 0}) : x;
  }
  return renamed(ours, {{"bert.", ""},
                        {"cls.predictions.", ""},
                        {".gamma", ".weight"},  // a norm's names of 2018
                        {".beta", ".bias"},
                        {"embeddings.word_embeddings", "words"},
                        {"embeddings.token_type_embeddings", "segments"},
                        {"embeddings.position_embeddings", "encoder.positions"},
                        {"embeddings.LayerNorm", "encoder.norm"},
                        {"encoder.layer.", "encoder.layers."},
                        {"attention.self.", "attn."},
                        {"attention.output.dense", "attn.output"},
                        {"attention.output.LayerNorm", "ln_1"},
                        {"intermediate.dense", "mlp.c_fc"},
                        {"output.dense", "mlp.c_proj"},
                        {"output.LayerNorm", "ln_2"},
                        {"transform.dense", "transform"},
                        {"transform.LayerNorm", "transform_norm"},
                        {"pooler.dense", "pooler"}});
}
// [from_bert]

// [gelu_erf]
/// x times the probability that a normal number is below x.
inline Tensor gelu_erf(const Tensor& x) {
  const auto below = [](Scalar v) { return (1 + std::erf(v / std::sqrt(Scalar(2)))) / 2; };
  return map(
      "gelu_erf", x, [=](Scalar v) { return v * below(v); },
      [=](Scalar v, Scalar) { return below(v) + v * Scalar(0.39894228) * std::exp(-v * v / 2); });
}
// [gelu_erf]

// [PublishedBert]
/// Details of the computation that the folder does not hold as tensors.
struct Details {
  std::function<Tensor(const Tensor&)> activation = gelu_erf;
  Scalar epsilon = Scalar(1e-12);
  bool first_norm = true, word_bias = true, segments = true, pre_norm = false;
};

struct PublishedBert {
  explicit PublishedBert(const std::string& folder)
      : config(flat_json(config_of(folder))), model(sized(config)) {
    check(config.at("model_type") == "bert", "bert: needs model_type bert");
    check(config.at("hidden_act") == "gelu", "bert: needs gelu, the exact one");
    check(std::stod(config.at("layer_norm_eps")) == 1e-12, "bert: needs an epsilon of 1e-12");
    NamedTensors tensors = from_bert(read_safetensors(folder + "/model.safetensors"));
    word_bias = tensors.at("bias"), tensors.erase("bias");
    fill(model, tensors);
  }
  Tensor norm(const LayerNorm& layer, const Tensor& x) const {
    return layer_norm(x, layer.weight, layer.bias, details.epsilon);
  }
  Tensor features(const IndexTensor& tokens) const {
    const IndexTensor first(tokens.shape(), Tokens(tokens.size()));
    Tensor x = model.encoder.positions.embed(model.words(tokens));
    if (details.segments) x = x + model.segments(first);
    if (details.first_norm) x = norm(model.encoder.norm, x);
    for (const Block& block : model.encoder.layers) {
      const auto attend = [&](const Tensor& y) { return block.attn(y, y); };
      const auto feed = [&](const Tensor& y) {
        return block.mlp.c_proj(details.activation(block.mlp.c_fc(y)));
      };
      x = details.pre_norm ? x + attend(norm(block.ln_1, x)) : norm(block.ln_1, x + attend(x));
      x = details.pre_norm ? x + feed(norm(block.ln_2, x)) : norm(block.ln_2, x + feed(x));
    }
    return x;
  }
  Tensor operator()(const IndexTensor& tokens) const {
    const Tensor changed = details.activation(model.transform(features(tokens)));
    const Tensor logits =
        matmul(norm(model.transform_norm, changed), model.words.weight, {.b = true});
    return details.word_bias ? logits + word_bias : logits;
  }
  static std::string config_of(const std::string& folder) {
    return read_text(folder + "/config.json");
  }
  static Bert sized(const Flat& config) {
    return Bert({.vocab_size = whole(config, "vocab_size"),
                 .n_layer = int(whole(config, "num_hidden_layers")),
                 .layer = {.d_model = whole(config, "hidden_size"),
                           .num_heads = int(whole(config, "num_attention_heads")),
                           .d_ff = whole(config, "intermediate_size"),
                           .dropout = 0,
                           .norm_place = NormPlace::kPost,
                           .position = Position::kLearned,
                           .max_length = whole(config, "max_position_embeddings")}});
  }
  Flat config;
  Bert model;
  Tensor word_bias;  // [V], which Bert does not have
  Details details;
};
// [PublishedBert]

// [WordPiece]
/// The longest piece of the vocabulary that fits, from the left; ## begins those within a word.
struct WordPiece {
  explicit WordPiece(const std::string& folder) {
    std::ifstream file(folder + "/vocab.txt");
    for (std::string piece; std::getline(file, piece);) {
      number[piece] = std::int32_t(pieces.size());
      pieces.push_back(piece);
    }
  }
  /// Lower case, cut at spaces and around signs, between [CLS] and [SEP]. For ASCII.
  Tokens encode(const std::string& text) const {
    std::string spaced;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const auto c = static_cast<unsigned char>(text[at]);
      if (text.compare(at, 6, "[MASK]") == 0) {
        spaced += " [MASK] ", at += 5;
      } else {
        spaced += std::ispunct(c) ? std::string{' ', text[at], ' '}
                                  : std::string(1, char(std::tolower(c)));
      }
    }
    Tokens tokens{number.at("[CLS]")};
    std::istringstream words(spaced);
    for (std::string word; words >> word;) add_word(word, tokens);
    tokens.push_back(number.at("[SEP]"));
    return tokens;
  }
  void add_word(const std::string& word, Tokens& tokens) const {
    const std::size_t before = tokens.size();
    for (std::size_t at = 0, length = 0; at < word.size(); at += length) {
      const std::string inner = at > 0 ? "##" : "";
      length = word.size() - at;
      while (length > 0 && !number.contains(inner + word.substr(at, length))) --length;
      if (length == 0) {
        tokens.resize(before);
        tokens.push_back(number.at("[UNK]"));
        return;
      }
      tokens.push_back(number.at(inner + word.substr(at, length)));
    }
  }
  std::map<std::string, std::int32_t> number;
  std::vector<std::string> pieces;
};
// [WordPiece]
