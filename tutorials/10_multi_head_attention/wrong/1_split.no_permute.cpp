// rejected: the heads must come before the positions
return reshape(x, {x.size(0), x.size(1), heads, -1});
