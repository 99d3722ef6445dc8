// rejected: RED
return {product(dy, b, {false, true}), product(a, dy, {true, false})};
