/// @file
/// Times attention alone: causal self-attention of one layer, forward and backward, from packed
/// queries, keys and values. Measures the memory of its tensors, too: they include qkv, the result
/// and both gradients.

#include "autograd/ops/attention.h"

#include "autograd/graph.h"
#include "bench/workload.h"
#include "cli/program/prepare_process.h"

namespace gradus {
namespace {

void run(const TimingOptions& options) {
  const Sizes& s = options.sizes;
  Tensor qkv = noise({s.batch_size, s.block_size, 3 * s.n_embd});
  qkv.set_requires_grad();
  const Tensor dy = noise({s.batch_size, s.block_size, s.n_embd});
  const std::vector<double> milliseconds = time_steps(
      options, [&] { qkv.zero_grad(); },
      [&] { backward(packed_self_attention(qkv, s.n_head, {.causal = true}), dy); });
  print_timing("attention", options, milliseconds, {{"peak_tensors_mib", peak_tensors_mib()}});
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  gradus::prepare_process(argv);
  gradus::run(gradus::parse_timing_options(
      argc, argv, "Times causal self-attention of one layer, forward and backward."));
}
