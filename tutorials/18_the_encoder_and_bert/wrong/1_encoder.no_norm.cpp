// rejected: the last norm follows
Tensor y = dropout_in_training(positions.embed(x), options.dropout);
for (const Block& layer : layers) y = layer(y, attention);
return y;
