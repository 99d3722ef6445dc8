// rejected: dy is a factor
const auto [ta, tb] = transposed;
const Tensor one = full(dy.shape(), 1);
return {ta ? product(b, one, {tb, true}) : product(one, b, {false, !tb}),
        tb ? product(one, a, {true, ta}) : product(a, one, {!ta, false})};
