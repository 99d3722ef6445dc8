#include "nn/layers/recurrent.h"

#include <cmath>

#include "autograd/check.h"
#include "autograd/ops/random.h"
#include "autograd/ops/shape.h"

namespace gradus {
using namespace detail;

RecurrentLayer::RecurrentLayer(RecurrentKind kind, Index channels, Index hidden, KeySequence& keys,
                               bool backwards)
    : kind(kind), backwards(backwards) {
  for (const Index width : {channels, hidden}) check_width("RecurrentLayer", width);
  const Scalar bound = 1 / std::sqrt(static_cast<Scalar>(hidden));
  const Index width = gates_of(kind) * hidden;
  const auto draw = [&](const Shape& shape) {
    return uniform(shape, keys.next(), -bound, bound).set_requires_grad();
  };
  ih.weight = draw({channels, width});
  ih.bias = draw({width});
  hh.weight = draw({hidden, width});
  hh.bias = draw({width});
}

Tensor RecurrentLayer::first_state(Index batch) const {
  return zeros({batch, parts_of(kind) * hidden()});
}

Tensor RecurrentLayer::h_of(const Tensor& states) const {
  return parts_of(kind) == 1 ? states : slice(states, -1, 0, hidden());
}

Tensor RecurrentLayer::step_from(const Tensor& from_input, const Tensor& state) const {
  require_made("RecurrentLayer", hh.weight.defined());
  return recurrent_step(kind, from_input, hh(h_of(state)), state);
}

Tensor RecurrentLayer::operator()(const Tensor& x, const Tensor& state,
                                  const IndexTensor& mask) const {
  require_made("RecurrentLayer", ih.weight.defined());
  return recurrent_sequence(kind, ih(x), hh.weight, hh.bias,
                            state.defined() ? state : first_state(x.size(0)),
                            {.backwards = backwards, .mask = mask});
}

Tensor RecurrentLayer::last_of(const Tensor& states) const {
  const Index last = backwards ? 0 : states.size(1) - 1;
  return reshape(slice(states, 1, last, last + 1), {states.size(0), states.size(2)});
}

Recurrent::Recurrent(RecurrentKind kind, Index channels, Index hidden, int depth,
                     KeySequence& keys) {
  check(depth >= 1, "recurrent: needs at least one layer, got ", depth);
  for (int i = 0; i < depth; ++i) {
    layers.emplace_back(kind, i == 0 ? channels : hidden, hidden, keys);
  }
}

Recurrent::Output Recurrent::operator()(const Tensor& x, const std::vector<Tensor>& states) const {
  require_made("Recurrent", !layers.empty());
  check(states.empty() || states.size() == layers.size(), "recurrent: needs a state for each of ",
        layers.size(), " layers, got ", states.size());
  Output out{x, {}};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Tensor all = layers[i](out.y, states.empty() ? Tensor() : states[i]);
    out.y = layers[i].h_of(all);
    out.states.push_back(layers[i].last_of(all));
  }
  return out;
}

}  // namespace gradus
