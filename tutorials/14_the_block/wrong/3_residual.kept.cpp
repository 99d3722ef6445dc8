// rejected: the share that is dropped
const bool pre = options.norm_place == NormPlace::kPre;
const Tensor y = x + dropout_in_training(branch(pre ? norm(x) : x), 1 - options.dropout);
return pre ? y : norm(y);
