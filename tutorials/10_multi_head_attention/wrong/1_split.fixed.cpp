// rejected: x [3, 5, 12], 1 heads
return permute(reshape(x, {x.size(0), x.size(1), 4, -1}), {0, 2, 1, 3});
