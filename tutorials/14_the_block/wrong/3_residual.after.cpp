// rejected: the branch's result is normalised
const bool pre = options.norm_place == NormPlace::kPre;
if (pre) return x + dropout_in_training(norm(branch(x)), options.dropout);
return norm(x + dropout_in_training(branch(x), options.dropout));
