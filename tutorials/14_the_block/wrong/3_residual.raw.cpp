// rejected: nothing is normalised
return x + dropout_in_training(branch(x), options.dropout);
