// rejected: the gradient of argument 1
const bool pre = options.norm_place == NormPlace::kPre;
const Tensor y = x.detach() + dropout_in_training(branch(pre ? norm(x) : x), options.dropout);
return pre ? y : norm(y);
