#include "tutorials/24_other_peoples_weights/exercises.h"

NamedTensors my_to_gpt2(Gpt& model) {
  NamedTensors ours, theirs;
  for (const NamedTensor& x : parameters(model)) ours[x.name] = x.tensor.detach();
  for (const auto& [name, x] : ours) {
    const std::size_t at = name.find("query");
    const auto with = [&, name = name](const char* part) {
      return std::string(name).replace(at, 5, part);
    };
    if (at < name.size()) {
      theirs[with("c_attn")] = concat({x, ours.at(with("key")), ours.at(with("value"))}, -1);
    } else if (name.find("attn.key") == name.npos && name.find("attn.value") == name.npos) {
      theirs[name] = x;
    }
  }
  return renamed(theirs, {{"attn.output", "attn.c_proj"}});
}
