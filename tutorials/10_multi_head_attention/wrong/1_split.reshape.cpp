// rejected: reshaped without a permutation
return reshape(x, {x.size(0), heads, x.size(1), -1});
