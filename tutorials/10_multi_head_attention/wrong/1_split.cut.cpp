// rejected: it is cut
return permute(reshape(x.detach(), {x.size(0), x.size(1), heads, -1}), {0, 2, 1, 3});
