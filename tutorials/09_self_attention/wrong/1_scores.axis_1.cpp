// rejected: weights, sizes
scores = matmul(q, k, {.b = true}) / std::sqrt(static_cast<Scalar>(q.size(1)));
