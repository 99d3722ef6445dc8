// rejected: the cache holds
const auto [keys, values] = block.attn.key_values(x, first);
cache.keys = first > 0 ? concat({cache.keys, keys, keys}, 2) : keys;
cache.values = first > 0 ? concat({cache.values, values, values}, 2) : values;
