// rejected: rotary positions
const auto [keys, values] = block.attn.key_values(x);
cache.keys = first > 0 ? concat({cache.keys, keys}, 2) : keys;
cache.values = first > 0 ? concat({cache.values, values}, 2) : values;
