// rejected: the wrong half is visible
for (Index i = 0; i < queries * keys; ++i) mask.push_back(i % keys >= i / keys + keys - queries);
