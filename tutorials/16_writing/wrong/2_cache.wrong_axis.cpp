// rejected: RED
const auto [keys, values] = block.attn.key_values(x, first);
cache.keys = first > 0 ? concat({cache.keys, keys}, 1) : keys;
cache.values = first > 0 ? concat({cache.values, values}, 1) : values;
