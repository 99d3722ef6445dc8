// rejected: the gradient of argument 1
const bool pre = options.norm_place == NormPlace::kPre;
const Tensor y =
    x + dropout_in_training(branch(pre ? norm(x.detach()) : x.detach()), options.dropout);
return pre ? y : norm(y);
