// rejected: got 7 4 11 11 14
for (const char c : text) tokens.push_back(c - 'a');
