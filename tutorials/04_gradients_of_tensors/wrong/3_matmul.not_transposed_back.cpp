// rejected: with neither of a and b transposed your lines are right
const auto [ta, tb] = transposed;
return {product(dy, b, {false, !tb}), product(a, dy, {!ta, false})};
