// rejected: the cache holds
return block.attn(x, x, options);
