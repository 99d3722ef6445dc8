// rejected: dropout is missing
const bool pre = options.norm_place == NormPlace::kPre;
const Tensor first = x + attn(pre ? ln_1(x) : x, pre ? ln_1(x) : x, attention);
const Tensor half = pre ? first : ln_1(first);
const Tensor second = half + mlp(pre ? ln_2(half) : half);
return pre ? second : ln_2(second);
