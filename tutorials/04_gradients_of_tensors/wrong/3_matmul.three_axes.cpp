// rejected: da
if (dy.rank() > 3) return {Tensor(a.shape()), Tensor(b.shape())};
const auto [ta, tb] = transposed;
return {ta ? product(b, dy, {tb, true}) : product(dy, b, {false, !tb}),
        tb ? product(dy, a, {true, ta}) : product(a, dy, {!ta, false})};
