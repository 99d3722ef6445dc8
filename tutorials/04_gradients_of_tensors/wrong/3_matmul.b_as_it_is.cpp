// rejected: RED
const auto [ta, tb] = transposed;
return {ta ? product(b, dy, {false, true}) : product(dy, b, {false, true}),
        tb ? product(dy, a, {true, false}) : product(a, dy, {true, false})};
