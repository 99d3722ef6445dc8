// rejected: one merge
return tokens;
