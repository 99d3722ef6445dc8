// rejected: one token, then one more
const auto [keys, values] = block.attn.key_values(x, first);
cache.keys = first > 0 ? concat({keys, cache.keys}, 2) : keys;
cache.values = first > 0 ? concat({values, cache.values}, 2) : values;
