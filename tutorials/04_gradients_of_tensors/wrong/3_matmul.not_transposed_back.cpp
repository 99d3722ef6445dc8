// rejected: the order of the factors, or a flag
const auto [ta, tb] = transposed;
return {product(dy, b, {false, !tb}), product(a, dy, {!ta, false})};
