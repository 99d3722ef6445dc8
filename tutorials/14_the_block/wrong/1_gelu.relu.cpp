// rejected: that is ReLU
return relu(x);
