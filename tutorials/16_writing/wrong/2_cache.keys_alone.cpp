// rejected: values
const auto [keys, values] = block.attn.key_values(x, first);
cache.keys = first > 0 ? concat({cache.keys, keys}, 2) : keys;
cache.values = first > 0 ? concat({cache.values, keys}, 2) : values;
