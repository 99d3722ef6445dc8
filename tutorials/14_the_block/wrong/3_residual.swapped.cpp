// rejected: have changed places
const bool pre = options.norm_place == NormPlace::kPost;
const Tensor y = x + dropout_in_training(branch(pre ? norm(x) : x), options.dropout);
return pre ? y : norm(y);
