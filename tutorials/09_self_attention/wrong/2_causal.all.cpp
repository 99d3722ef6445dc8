// rejected: nothing is hidden
for (Index i = 0; i < queries * keys; ++i) mask.push_back(1);
