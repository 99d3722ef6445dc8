// rejected: e to the power of log_beta
if (kind == kCosine) return matmul(unit(s), unit(h), {.b = true}) * log_beta;
if (kind == kAdditive) {
  const Tensor of_s = reshape(state(s), {s.size(0), s.size(1), 1, -1});
  const Tensor of_h = reshape(source(h), {h.size(0), 1, h.size(1), -1});
  return reshape(v(tanh(of_s + of_h)), {s.size(0), s.size(1), h.size(1)});
}
const Tensor dots = matmul(kind == kGeneral ? state(s) : s, h, {.b = true});
return kind == kScaledDot ? dots / std::sqrt(Scalar(s.size(2))) : dots;
