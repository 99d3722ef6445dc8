// rejected: have changed places
return norm(x + dropout_in_training(branch(x), options.dropout));
