// rejected: the order of the factors, or a flag
const auto [ta, tb] = transposed;
return {ta ? product(dy, b, {true, tb}) : product(b, dy, {!tb, false}),
        tb ? product(a, dy, {ta, true}) : product(dy, a, {false, !ta})};
