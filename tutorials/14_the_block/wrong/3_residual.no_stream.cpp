// rejected: the stream is missing
const bool pre = options.norm_place == NormPlace::kPre;
const Tensor y = dropout_in_training(branch(pre ? norm(x) : x), options.dropout);
return pre ? y : norm(y);
