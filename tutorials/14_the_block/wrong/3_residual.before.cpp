// rejected: dropout comes after the branch
const bool pre = options.norm_place == NormPlace::kPre;
const Tensor y = x + branch(dropout_in_training(pre ? norm(x) : x, options.dropout));
return pre ? y : norm(y);
