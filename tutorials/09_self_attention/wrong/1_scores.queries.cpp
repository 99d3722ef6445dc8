// rejected: the square root of the number of queries
scores = matmul(q, k, {.b = true}) / std::sqrt(static_cast<Scalar>(q.size(-2)));
