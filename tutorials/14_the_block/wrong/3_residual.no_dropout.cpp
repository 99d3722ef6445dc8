// rejected: dropout is missing
const bool pre = options.norm_place == NormPlace::kPre;
const Tensor y = x + branch(pre ? norm(x) : x);
return pre ? y : norm(y);
