// rejected: rows must be queries and columns keys
scores = matmul(k, q, {.b = true}) / std::sqrt(static_cast<Scalar>(q.size(-1)));
