// rejected: each branch reads what the one before it left
const bool pre = options.norm_place == NormPlace::kPre;
const Tensor a = self_attention(pre ? norm_1(x) : x, pre ? norm_1(x) : x, self);
const Tensor b = cross_attention(pre ? norm_2(x) : x, source, cross);
return x + a + b + feed_forward(pre ? norm_3(x) : x);
