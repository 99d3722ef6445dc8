// rejected: a session that begins again
const auto [keys, values] = block.attn.key_values(x, first);
cache.keys = cache.keys.defined() ? concat({cache.keys, keys}, 2) : keys;
cache.values = values.size(2) < cache.keys.size(2) ? concat({cache.values, values}, 2) : values;
