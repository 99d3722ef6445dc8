// rejected: gradient 0 has shape
const auto [ta, tb] = transposed;
return {tb ? product(dy, a, {true, ta}) : product(a, dy, {!ta, false}),
        ta ? product(b, dy, {tb, true}) : product(dy, b, {false, !tb})};
