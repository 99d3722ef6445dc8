#include "nn/files/llama_tensors.h"

#include <algorithm>
#include <string_view>

#include "autograd/graph.h"
#include "autograd/ops/shape.h"
#include "nn/files/adapter_files.h"
#include "nn/files/model_tensors.h"

namespace gradus {
namespace {

/// One of Hugging Face's tensors: a range of the last axis of one of Gpt's.
struct Part {
  std::string name;
  Index begin;
  Index width;
};

/// Pairs of Gpt's and Hugging Face's names for whole tensors.
constexpr std::pair<const char*, const char*> kNames[] = {
    {"transformer.wte.", "model.embed_tokens."}, {"transformer.ln_f.", "model.norm."},
    {"transformer.h.", "model.layers."},         {".ln_1.", ".input_layernorm."},
    {".ln_2.", ".post_attention_layernorm."},    {".attn.c_proj.", ".self_attn.o_proj."},
    {".attn.q_norm.", ".self_attn.q_norm."},     {".attn.k_norm.", ".self_attn.k_norm."},
    {".mlp.c_proj.", ".mlp.down_proj."},
};

std::string replaced(std::string name, std::string_view from, std::string_view to) {
  const std::size_t at = name.find(from);
  return at == std::string::npos ? name : name.replace(at, from.size(), to);
}

/// Whether the tensor is the first of a low-rank pair. It is as wide as the rank, and all parts of
/// a layer share it.
bool is_first_of_pair(const std::string& name) { return name.ends_with(kFirstOfPair); }

/// The tensors in which Hugging Face's files hold this one, in order.
std::vector<Part> parts_of(const GptConfig& config, std::string name, const Tensor& tensor) {
  for (const auto& [own, other] : kNames) {
    name = replaced(std::move(name), own, other);
  }
  std::vector<std::pair<const char*, Index>> parts;
  std::string_view packed = ".attn.c_attn.";
  if (name.find(packed) != std::string::npos) {
    const Index keys = config.kv_heads() * config.width();
    parts = {{".self_attn.q_proj.", config.n_head * config.width()},
             {".self_attn.k_proj.", keys},
             {".self_attn.v_proj.", keys}};
  } else if (packed = ".mlp.c_fc."; name.find(packed) != std::string::npos) {
    parts = {{".mlp.gate_proj.", config.inner()}, {".mlp.up_proj.", config.inner()}};
  } else {
    return {{name, 0, tensor.size(-1)}};
  }
  std::vector<Part> result;
  Index begin = 0;
  for (const auto& [part, width] : parts) {
    if (is_first_of_pair(name)) {
      result.push_back({replaced(name, packed, part), 0, tensor.size(-1)});
    } else {
      result.push_back({replaced(name, packed, part), begin, width});
      begin += width;
    }
  }
  return result;
}

bool is_matrix(const NamedTensor& named) {
  return named.tensor.rank() == 2 && named.role == Role::kHidden;
}

}  // namespace

std::vector<NamedTensor> with_llama_names(const GptConfig& config,
                                          const std::vector<NamedTensor>& own) {
  const NoGrad no_grad;
  std::vector<NamedTensor> list;
  for (const NamedTensor& named : own) {
    for (const auto& [name, begin, width] : parts_of(config, named.name, named.tensor)) {
      const Tensor part = slice(named.tensor, -1, begin, begin + width);
      list.push_back({name, is_matrix(named) ? transpose(part) : part, named.role});
    }
  }
  return list;
}

std::map<std::string, Tensor> from_llama_names(const std::filesystem::path& file,
                                               const GptConfig& config,
                                               const std::vector<NamedTensor>& own,
                                               std::map<std::string, Tensor> found) {
  std::erase_if(found, [](const auto& entry) { return entry.first.ends_with(".inv_freq"); });
  NamedShapes shapes;
  for (const NamedTensor& named : own) {
    for (const auto& [name, begin, width] : parts_of(config, named.name, named.tensor)) {
      shapes.emplace_back(name, is_matrix(named) ? Shape{width, named.tensor.size(0)}
                                                 : named.tensor.shape().with(-1, width));
    }
  }
  check_tensors(file, shapes, found);
  const NoGrad no_grad;
  std::map<std::string, Tensor> result;
  for (const NamedTensor& named : own) {
    std::vector<Tensor> parts;
    std::string first;
    for (const auto& [name, begin, width] : parts_of(config, named.name, named.tensor)) {
      const Tensor held = std::move(found.extract(name).mapped());
      const Tensor part = is_matrix(named) ? transpose(held) : held;
      if (parts.empty() || !is_first_of_pair(name)) {
        first = name;
        parts.push_back(part);
      } else if (!std::ranges::equal(part, parts[0])) {
        fail_for(file, "tensor ", name, " must be equal to ", first,
                 " to be trained further (merge the adapter first)");
      }
    }
    result.emplace(named.name, parts.size() > 1 ? concat(parts, -1) : parts[0]);
  }
  return result;
}

}  // namespace gradus
