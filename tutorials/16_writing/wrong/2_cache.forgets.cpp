// rejected: the cache holds
const auto [keys, values] = block.attn.key_values(x, first);
cache.keys = keys;
cache.values = values;
