// rejected: weights, sizes
scores = matmul(q, k, {.b = true}) / Scalar(int(std::sqrt(q.size(-1))));
