// rejected: the stream is normalised, too
const bool pre = options.norm_place == NormPlace::kPre;
const Tensor z = pre ? norm(x) : x;
const Tensor y = z + dropout_in_training(branch(z), options.dropout);
return pre ? y : norm(y);
