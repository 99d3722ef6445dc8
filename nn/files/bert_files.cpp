#include "nn/files/bert_files.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/shape.h"
#include "nn/files/checkpoint.h"
#include "nn/files/gpt_files.h"
#include "nn/files/model_configs.h"
#include "nn/files/model_tensors.h"
#include "nn/files/tokenizer_files.h"
#include "nn/text/special_tokens.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, Tensor>;

constexpr const char *kWordHead = "cls.predictions.", *kPooler = "bert.pooler.",
                     *kWords = "bert.embeddings.word_embeddings.weight",
                     *kWordBias = "cls.predictions.bias";

/// The parameters as stored; for an adapter, the trained ones only. They are handles, except for
/// weights that are stored transposed.
std::vector<NamedTensor> kept_parameters(const BertModel& bert) {
  const NoGrad no_grad;
  std::vector<NamedTensor> list = parameters(bert.model);
  if (bert.adapter) list = trainable(list);
  std::erase_if(list, [&](const NamedTensor& named) {
    return !bert.fills_masks && named.name.starts_with(kWordHead);
  });
  for (auto& [name, tensor, role] : list) {
    if (is_transposed_in_bert(name, tensor)) {
      tensor = transpose(tensor);
    }
  }
  return list;
}

/// Returns Bert's name for a tensor.
std::string own_name(std::string name) {
  for (const auto& [old, now] : {std::pair(".gamma", ".weight"), std::pair(".beta", ".bias")}) {
    if (name.ends_with(std::string("LayerNorm") + old)) {
      name.replace(name.rfind('.'), std::string::npos, now);
    }
  }
  const bool is_bare =
      std::ranges::any_of(std::array{"embeddings.", "encoder.", "pooler."},
                          [&](const char* part) { return name.starts_with(part); });
  return is_bare ? "bert." + name : name;
}

/// Gives tensors the names that Bert uses, and drops the extra tensors in Hugging Face's files.
Tensors with_own_names(const fs::path& file) {
  const ModelTensors held(file);
  for (const auto& [name, shape] : held.index_shapes()) {
    if (!name.ends_with("embeddings.position_ids")) {
      fail_for(file, "tensor ", name, " holds integers, not parameters");
    }
  }
  Tensors found;
  for (const auto& [name, shape] : held.shapes()) {
    if (!name.starts_with("cls.seq_relationship.") &&
        !found.emplace(own_name(name), held.read(name)).second) {
      fail_for(file, "has the tensor ", own_name(name), " twice, under an old name and a new one");
    }
  }
  // The output layer is the word embedding with a bias. The bias has two names.
  if (auto bias = found.extract("cls.predictions.decoder.bias")) {
    bias.key() = kWordBias;
    const auto [place, is_new, other] = found.insert(std::move(bias));
    if (!is_new && !std::ranges::equal(place->second, other.mapped())) {
      fail_for(file, "cls.predictions.decoder.bias must be equal to ", kWordBias);
    }
  }
  if (const auto decoder = found.extract("cls.predictions.decoder.weight")) {
    const auto words = found.find(kWords);
    if (words != found.end() && !std::ranges::equal(decoder.mapped(), words->second)) {
      fail_for(file, "cls.predictions.decoder.weight differs from ", kWords,
               ", to which it must be tied");
    }
  }
  return found;
}

/// Returns the shape of a parameter as stored, if the word embedding has `rows` rows.
Shape kept_shape(const NamedTensor& named, Index rows) {
  const auto& [name, tensor, role] = named;
  return name == kWords                        ? Shape{rows, tensor.size(1)}
         : name == kWordBias                   ? Shape{rows}
         : is_transposed_in_bert(name, tensor) ? Shape{tensor.size(1), tensor.size(0)}
                                               : tensor.shape();
}

bool holds_part(const Tensors& found, const std::string& prefix) {
  const auto first = found.lower_bound(prefix);
  return first != found.end() && first->first.starts_with(prefix);
}

}  // namespace

void adapt(BertModel& bert, const Adapter& adapter, std::uint64_t seed) {
  KeySequence keys(seed);
  set_requires_grad(bert.model, false);
  add_lora(bert.model.encoder, adapter.lora, keys);
  set_requires_grad(bert.model.pooler, true);
  if (bert.model.classifier.weight.defined()) set_requires_grad(bert.model.classifier, true);
  bert.adapter = with_digest(adapter);
}

BertModel load_adapted_bert(const fs::path& folder) {
  const Adapter adapter = load_adapter(folder);
  BertModel bert = load_bert(adapter.base);
  bert.labels = load_labels(folder);
  bert.model.set_labels(std::ssize(bert.labels));
  adapt(bert, adapter, 0);
  Tensors found = load_adapter_tensors(folder, adapter);
  const NoGrad no_grad;
  const std::vector<NamedTensor> trained = trainable(parameters(bert.model));
  for (auto& [name, tensor] : found) {
    if (is_transposed_in_bert(name, tensor)) tensor = transpose(tensor);
  }
  check_tensors(folder / kAdapterFile, shapes_of(trained), found);
  for (const auto& [name, tensor, role] : trained) {
    std::ranges::copy(found.at(name), tensor.mutable_data());
  }
  return bert;
}

void save_bert(const fs::path& folder, const BertModel& bert) {
  if (bert.adapter) {
    save_adapter(folder, *bert.adapter, kept_parameters(bert), "SEQ_CLS", {"classifier", "pooler"});
    save_config(folder, bert.model.config, bert.labels, SpecialTokens(*bert.tokenizer).pad);
    return;
  }
  save_parameters(folder, kept_parameters(bert));
  save_config(folder, bert.model.config, bert.labels, SpecialTokens(*bert.tokenizer).pad);
  save_tokenizer(*bert.tokenizer, folder);
}

BertModel load_bert(const fs::path& given) {
  const fs::path folder = base_of(given);
  BertConfig config = load_bert_config(folder);
  config.n_labels = load_bert_config(given).n_labels;  // an adapter may have labels of its own
  std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(folder);
  const Index rows = config.vocab_size, tokens = SpecialTokens(*tokenizer).vocab_size;
  if (load_state(folder) || !may_be_padded(*tokenizer, tokens, rows)) {
    check_vocabulary(folder, rows, *tokenizer);
  }
  std::vector<std::string> labels = load_labels(given);
  if (std::ssize(labels) != config.n_labels) {
    fail_for(folder / kConfigFile, "names ", labels.size(), " labels, but \"n_labels\" is ",
             config.n_labels);
  }
  const fs::path file = find_model_file(folder);
  Tensors found = with_own_names(file);
  merge_adapter(given, found);
  config.vocab_size = tokens;
  BertModel bert{Bert(config), std::move(tokenizer), std::move(labels)};
  bert.fills_masks = holds_part(found, kWordHead);
  const bool has_pooler = holds_part(found, kPooler) || config.n_labels > 0;
  std::vector<NamedTensor> own = parameters(bert.model);
  std::erase_if(own, [&](const NamedTensor& named) {
    return (!bert.fills_masks && named.name.starts_with(kWordHead)) ||
           (!has_pooler && named.name.starts_with(kPooler));
  });
  NamedShapes shapes;
  for (const NamedTensor& named : own) {
    shapes.emplace_back(named.name, kept_shape(named, rows));
  }
  check_tensors(file, shapes, found);
  const NoGrad no_grad;
  for (auto& [name, tensor, role] : own) {
    const Tensor& kept = found.at(name);
    const Tensor turned = is_transposed_in_bert(name, tensor) ? transpose(kept) : kept;
    // The rows that no token uses come last. They are not copied, so that they are never predicted
    // or counted.
    std::copy_n(turned.begin(), tensor.size(), tensor.mutable_data());
  }
  return bert;
}

}  // namespace gradus
