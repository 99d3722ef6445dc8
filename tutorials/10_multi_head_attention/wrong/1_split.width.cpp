// rejected: how many there are, not how wide one is
return permute(reshape(x, {x.size(0), x.size(1), -1, heads}), {0, 2, 1, 3});
