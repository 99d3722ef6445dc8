// rejected: the stream is dropped
const bool pre = options.norm_place == NormPlace::kPre;
const Tensor y = dropout_in_training(x + branch(pre ? norm(x) : x), options.dropout);
return pre ? y : norm(y);
