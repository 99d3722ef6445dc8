// rejected: post-norm
Tensor y = norm_1(x);
Tensor z = x + dropout_in_training(self_attention(y, y, self), options.dropout);
z = z + dropout_in_training(cross_attention(norm_2(z), source, cross), options.dropout);
return z + dropout_in_training(feed_forward(norm_3(z)), options.dropout);
