// rejected: a query must see its own position
for (Index i = 0; i < queries * keys; ++i) mask.push_back(i % keys < i / keys + keys - queries);
