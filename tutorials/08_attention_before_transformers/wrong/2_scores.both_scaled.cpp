// rejected: the plain dot product is not scaled
if (kind == kCosine) return matmul(unit(s), unit(h), {.b = true}) * exp(log_beta);
if (kind == kAdditive) {
  const Tensor of_s = reshape(state(s), {s.size(0), s.size(1), 1, -1});
  const Tensor of_h = reshape(source(h), {h.size(0), 1, h.size(1), -1});
  return reshape(v(tanh(of_s + of_h)), {s.size(0), s.size(1), h.size(1)});
}
const Tensor dots = matmul(kind == kGeneral ? state(s) : s, h, {.b = true});
return kind == kGeneral ? dots : dots / std::sqrt(Scalar(s.size(2)));
