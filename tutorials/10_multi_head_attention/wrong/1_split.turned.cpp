// rejected: positions and channels of a head have changed places
return permute(reshape(x, {x.size(0), x.size(1), heads, -1}), {0, 2, 3, 1});
