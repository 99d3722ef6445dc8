// rejected: 2 queries, 5 keys
for (Index i = 0; i < queries * keys; ++i)
  mask.push_back(i % queries <= i / queries + keys - queries);
