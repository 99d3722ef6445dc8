// rejected: residual() drops out
const bool pre = options.norm_place == NormPlace::kPre;
const Tensor a = pre ? norm_1(x) : x;
Tensor y = x + self_attention(a, a, self);
y = pre ? y : norm_1(y);
y = y + cross_attention(pre ? norm_2(y) : y, source, cross);
y = pre ? y : norm_2(y);
y = y + feed_forward(pre ? norm_3(y) : y);
return pre ? y : norm_3(y);
