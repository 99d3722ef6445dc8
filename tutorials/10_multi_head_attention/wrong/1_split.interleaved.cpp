// rejected: every H-th channel went to a head
return permute(reshape(x, {x.size(0), x.size(1), -1, heads}), {0, 3, 1, 2});
