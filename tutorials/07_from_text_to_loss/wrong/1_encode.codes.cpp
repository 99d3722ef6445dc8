// rejected: those are the characters' codes
for (const char c : text) tokens.push_back(c);
