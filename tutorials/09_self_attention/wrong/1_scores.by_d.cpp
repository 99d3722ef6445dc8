// rejected: divided by D, not by its square root
scores = matmul(q, k, {.b = true}) / static_cast<Scalar>(q.size(-1));
