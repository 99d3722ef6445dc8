// rejected: have changed places
return x + dropout_in_training(branch(norm(x)), options.dropout);
