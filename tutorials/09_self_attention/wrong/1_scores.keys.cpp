// rejected: the square root of the number of keys
scores = matmul(q, k, {.b = true}) / std::sqrt(static_cast<Scalar>(k.size(-2)));
