// rejected: one token, then one more
if (first > 0) return block.attn.attend(cache, x, options, first);
const auto [keys, values] = block.attn.key_values(x, first);
cache.keys = first > 0 ? concat({cache.keys, keys}, 2) : keys;
cache.values = first > 0 ? concat({cache.values, values}, 2) : values;
