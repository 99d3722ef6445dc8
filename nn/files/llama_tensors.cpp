#include "nn/files/llama_tensors.h"

#include <algorithm>
#include <string_view>

#include "autograd/graph.h"
#include "autograd/ops/shape.h"
#include "nn/files/adapter_files.h"

namespace gradus {
using namespace detail;
namespace {

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

bool is_matrix(const Shape& shape, Role role) { return shape.rank() == 2 && role == Role::kHidden; }

}  // namespace

NamedShapes llama_parts(const GptConfig& config, const std::string& own, const Shape& shape,
                        Role role) {
  std::string name = own;
  for (const auto& [from, to] : kNames) {
    name = replaced(std::move(name), from, to);
  }
  std::string_view packed = ".attn.c_attn.";
  std::vector<std::pair<const char*, Index>> parts;  // and their widths
  if (name.find(packed) != std::string::npos) {
    const Index keys = config.kv_heads() * config.width();
    parts = {{".self_attn.q_proj.", config.n_head * config.width()},
             {".self_attn.k_proj.", keys},
             {".self_attn.v_proj.", keys}};
  } else if (packed = ".mlp.c_fc."; name.find(packed) != std::string::npos) {
    parts = {{".mlp.gate_proj.", config.inner()}, {".mlp.up_proj.", config.inner()}};
  } else {
    packed = "";
    parts = {{"", shape[-1]}};
  }
  NamedShapes result;
  for (const auto& [part, own_width] : parts) {
    const Index width = is_first_of_pair(own) ? shape[-1] : own_width;
    result.emplace_back(packed.empty() ? name : replaced(name, packed, part),
                        is_matrix(shape, role) ? Shape{width, shape[0]} : shape.with(-1, width));
  }
  return result;
}

bool is_llama_constant(const std::string& name) { return name.ends_with(".inv_freq"); }

std::vector<NamedTensor> with_llama_names(const GptConfig& config,
                                          const std::vector<NamedTensor>& own) {
  const NoGrad no_grad;
  std::vector<NamedTensor> list;
  for (const NamedTensor& named : own) {
    const Tensor& tensor = named.tensor;
    const bool turned = is_matrix(tensor.shape(), named.role);
    Index begin = 0;
    for (const auto& [name, shape] : llama_parts(config, named.name, tensor.shape(), named.role)) {
      const Index width = shape[turned ? 0 : -1];
      const Tensor part = slice(tensor, -1, begin, begin + width);
      list.push_back({name, turned ? transpose(part) : part, named.role});
      begin += is_first_of_pair(name) ? 0 : width;
    }
  }
  return list;
}

std::map<std::string, Tensor> from_llama_names(const std::filesystem::path& file,
                                               const GptConfig& config,
                                               const std::vector<NamedTensor>& own,
                                               std::map<std::string, Tensor> found) {
  NamedShapes shapes;
  for (const auto& [name, tensor, role] : own) {
    const NamedShapes parts = llama_parts(config, name, tensor.shape(), role);
    shapes.insert(shapes.end(), parts.begin(), parts.end());
  }
  check_tensors(file, shapes, found);
  const NoGrad no_grad;
  std::map<std::string, Tensor> result;
  for (const NamedTensor& named : own) {
    const Shape& shape = named.tensor.shape();
    std::vector<Tensor> parts;
    std::string first;
    for (const auto& entry : llama_parts(config, named.name, shape, named.role)) {
      const Tensor held = std::move(found.extract(entry.first).mapped());
      const Tensor part = is_matrix(shape, named.role) ? transpose(held) : held;
      if (parts.empty() || !is_first_of_pair(entry.first)) {
        first = entry.first;
        parts.push_back(part);
      } else if (!std::ranges::equal(part, parts[0])) {
        fail_for(file, "tensor ", entry.first, " must be equal to ", first,
                 " to be trained further (merge the adapter first)");
      }
    }
    result.emplace(named.name, parts.size() > 1 ? concat(parts, -1) : parts[0]);
  }
  return result;
}

}  // namespace gradus
