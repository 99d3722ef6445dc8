// rejected: the branch was called 2 times
const Tensor before = x + dropout_in_training(branch(norm(x)), options.dropout);
const Tensor after = norm(x + dropout_in_training(branch(x), options.dropout));
return options.norm_place == NormPlace::kPre ? before : after;
