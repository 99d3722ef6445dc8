// rejected: a text of 40 tokens
const auto [keys, values] = block.attn.key_values(x, first);
cache.keys = first > 0 && first <= 16 ? concat({cache.keys, keys}, 2) : keys;
cache.values = first > 0 && first <= 16 ? concat({cache.values, values}, 2) : values;
