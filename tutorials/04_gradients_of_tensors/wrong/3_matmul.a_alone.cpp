// rejected: no gradient arrived
const auto [ta, tb] = transposed;
return {ta ? product(b, dy, {tb, true}) : product(dy, b, {false, !tb})};
