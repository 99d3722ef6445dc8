// rejected: first learnt
Tokens result = tokens;
for (const auto& [pair, merged] : merges) result = merge(result, pair, merged);
return result;
