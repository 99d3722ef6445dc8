#include "autograd/more/packed_attention.h"

#include <array>

#include "autograd/check.h"
#include "autograd/fused/attention.h"
#include "autograd/fused/fused.h"
#include "autograd/more/heads.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;

Tensor packed_self_attention(const Tensor& qkv, int heads, const AttentionOptions& options) {
  constexpr const char* kOp = "packed_self_attention";
  require_defined(kOp, {{"qkv", qkv}});
  check(heads >= 1 && qkv.rank() == 3 && qkv.size(-1) % (3 * Index{heads}) == 0, kOp,
        ": needs qkv [B, T, 3 C] with C a multiple of the ", heads, " heads, got ", qkv.shape());
  const std::array<Index, 4> weights{qkv.size(0), heads, qkv.size(1), qkv.size(1)};
  check_attention_options(kOp, options, Shape(weights, kOp));
  if (uses_fused()) {
    return fused::packed_self_attention(qkv, heads, options);
  }
  const std::vector<Tensor> parts = split(qkv, 3, -1);
  return join_heads(scaled_dot_product_attention(split_heads(parts[0], heads),
                                                 split_heads(parts[1], heads),
                                                 split_heads(parts[2], heads), options));
}

}  // namespace gradus
