// rejected: queries are the last of the positions
for (Index i = 0; i < queries * keys; ++i) mask.push_back(i % keys <= i / keys);
