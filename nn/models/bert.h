/// @file
/// BERT: an encoder trained to fill in masked words, with heads for downstream tasks.
///
/// Devlin and others, "BERT: pre-training of deep bidirectional transformers for language
/// understanding", 2019. Shapes: B batch, T time, C channels, V vocabulary.
#pragma once

#include "nn/layers/encoder.h"

namespace gradus {

/// @addtogroup models
/// @{

/// The sizes and parts of a Bert.
/// @code
/// BertConfig{}.layer.inner();  // 3072
/// @endcode
struct BertConfig {
  Index vocab_size = 0;       ///< V, the number of tokens
  int n_layer = 12;           ///< number of layers of the encoder
  Index type_vocab_size = 2;  ///< the number of segments
  Index n_labels = 0;         ///< labels of the classifier; 0: no classifier
  /// The options of the layers; the defaults are BERT's.
  LayerOptions layer = {.d_model = 768,
                        .num_heads = 12,
                        .activation = Activation::kGeluErf,
                        .norm_place = NormPlace::kPost,
                        .epsilon = Scalar(1e-12),
                        .position = Position::kLearned};

  /// Whether all parts are BERT's, so that other programs can read the model as a BERT.
  bool is_bert() const;

  /// Names each field as in config.json.
  void fields(auto&& f) {
    f("n_layer", n_layer);
    f("vocab_size", vocab_size);
    f("type_vocab_size", type_vocab_size);
    f("n_labels", n_labels);
    layer.fields(f);
  }
};

/// BERT: an encoder of text, with a head for masked words and, if the config has labels, one that
/// classifies texts. The parameters have the names of Hugging Face's BertForPreTraining. The
/// weights of linear layers are [in, out] here and [out, in] there: see is_transposed_in_bert().
///
/// Weights and embeddings start as N(0, s) with \f$ s = 0.02 \sqrt{768 / C} \f$: the 0.02 of BERT
/// at its 768 channels. Biases start as 0.
/// @code
/// const LayerOptions layer{.d_model = 8, .num_heads = 2, .position = Position::kLearned};
/// const Bert bert({.vocab_size = 11, .n_layer = 1, .layer = layer}, 1);
/// const Tensor x = bert.features(indices({{1, 2, 3}}));
/// bert.word_logits(x).shape();  // [1, 3, 11]
/// @endcode
struct Bert {
  BertConfig config;    ///< its sizes and parts
  Embedding words;      ///< [V, C]
  Embedding segments;   ///< [type_vocab_size, C]
  Norm norm;            ///< applied to the sum of the vectors of word, position and segment
  Encoder encoder;      ///< contains the positional encoding
  Linear pooler;        ///< [C, C], applied to the first position
  Linear transform;     ///< [C, C], before the output layer, whose weight is `words`
  Norm transform_norm;  ///< after transform
  Tensor word_bias;     ///< [V], the bias of the output layer
  Linear classifier;    ///< [C, n_labels]; undefined without labels

  Bert() = default;
  /// The same config and seed give the same parameters.
  /// @throws std::invalid_argument if the config is invalid.
  explicit Bert(const BertConfig& config, std::uint64_t seed = 0);

  /// Computes the vectors of the encoder: tokens [B, T] and segments [B, T] (all 0 if undefined) to
  /// [B, T, C]. The mask broadcasts to [B, H, T, T]: see padding_mask().
  Tensor features(const IndexTensor& tokens, const IndexTensor& mask = IndexTensor(),
                  const IndexTensor& segments = IndexTensor()) const;
  /// The head for masked words: features [..., C] to logits [..., V]. The weight of its output
  /// layer is the word embedding.
  Tensor word_logits(const Tensor& features) const;
  /// The mean cross-entropy, in nats, over the positions whose target is not kIgnoreIndex. The head
  /// is computed at these positions only.
  /// @throws std::invalid_argument unless the targets have the tokens' shape.
  Tensor masked_loss(const IndexTensor& tokens, const IndexTensor& targets,
                     const IndexTensor& mask = IndexTensor(),
                     const IndexTensor& segments = IndexTensor()) const;
  /// Returns a summary of each text: the pooler and tanh, applied to the first position. Features
  /// [B, T, C] to [B, C].
  Tensor pooled(const Tensor& features) const;
  /// Classifies texts: features [B, T, C] to logits [B, n_labels].
  /// @throws std::invalid_argument if there are no labels.
  Tensor sequence_logits(const Tensor& features) const;

  /// Replaces the classifier with a new one with n_labels outputs, to fine-tune a pre-trained
  /// model.
  void set_labels(Index n_labels, std::uint64_t seed = 0);

  void fields(auto&& f);
};

/// Whether Hugging Face's files have the transpose of this tensor of BERT: true for weights of
/// linear layers, false for embeddings.
bool is_transposed_in_bert(const std::string& name, const Tensor& tensor);

/// @}

/// An encoder layer whose fields have BERT's names.
/// @code
/// KeySequence keys(1);
/// EncoderLayer layer({.d_model = 8, .num_heads = 2}, Tensor(), keys);
/// parameters(BertLayerNames{layer}).size();  // 16
/// @endcode
struct BertLayerNames {
  EncoderLayer& layer;  ///< the layer whose members are named

  void fields(auto&& f) {
    f("attention.self.query", layer.self_attention.query);
    f("attention.self.key", layer.self_attention.key);
    f("attention.self.value", layer.self_attention.value);
    f("attention.output.dense", layer.self_attention.output);
    f("attention.output.LayerNorm", layer.norm_1);
    f("intermediate.dense", layer.feed_forward.c_fc);
    f("output.dense", layer.feed_forward.c_proj);
    f("output.LayerNorm", layer.norm_2);
  }
};

void Bert::fields(auto&& f) {
  f("bert.embeddings.word_embeddings", words);
  f("bert.embeddings.position_embeddings", encoder.positions);
  f("bert.embeddings.token_type_embeddings", segments);
  f("bert.embeddings.LayerNorm", norm);
  for (std::size_t i = 0; i < encoder.layers.size(); ++i) {
    BertLayerNames names{encoder.layers[i]};
    f("bert.encoder.layer." + std::to_string(i), names);
  }
  if (config.layer.norm_place == NormPlace::kPre) {
    f("bert.encoder.norm", encoder.norm);
  }
  f("bert.pooler.dense", pooler);
  f("cls.predictions.transform.dense", transform);
  f("cls.predictions.transform.LayerNorm", transform_norm);
  f("cls.predictions.bias", word_bias);
  f.outer("classifier", classifier);
}

}  // namespace gradus
