// rejected: a query sees the position after its own
for (Index i = 0; i < queries * keys; ++i)
  mask.push_back(i % keys <= i / keys + keys - queries + 1);
