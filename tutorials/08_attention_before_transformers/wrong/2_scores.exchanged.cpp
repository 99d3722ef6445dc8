// rejected: state is for s and source for h
if (kind == kCosine) return matmul(unit(s), unit(h), {.b = true}) * exp(log_beta);
if (kind == kAdditive) {
  const Tensor of_s = reshape(source(s), {s.size(0), s.size(1), 1, -1});
  const Tensor of_h = reshape(state(h), {h.size(0), 1, h.size(1), -1});
  return reshape(v(tanh(of_s + of_h)), {s.size(0), s.size(1), h.size(1)});
}
const Tensor dots = matmul(kind == kGeneral ? state(s) : s, h, {.b = true});
return kind == kScaledDot ? dots / std::sqrt(Scalar(s.size(2))) : dots;
