// rejected: it is cut
scores = matmul(q.detach(), k, {.b = true}) / std::sqrt(static_cast<Scalar>(q.size(-1)));
