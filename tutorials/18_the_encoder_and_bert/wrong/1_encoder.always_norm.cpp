// rejected: there is no last norm
Tensor y = dropout_in_training(positions.embed(x), options.dropout);
for (const Block& layer : layers) y = layer(y, attention);
return norm(y);
