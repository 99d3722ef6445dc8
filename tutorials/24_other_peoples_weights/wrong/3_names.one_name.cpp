// rejected: your lines threw
#include "tutorials/24_other_peoples_weights/exercises.h"

NamedTensors my_to_gpt2(Gpt& model) {
  NamedTensors ours;
  for (const NamedTensor& x : parameters(model)) ours[x.name] = x.tensor.detach();
  for (int i = 0; i < 2; ++i) {
    const std::string attn = "h." + std::to_string(i) + ".attn.";
    for (const std::string kind : {".weight", ".bias"}) {
      ours[attn + "c_attn" + kind] =
          concat({ours.at(attn + "query" + kind), ours.at(attn + "key" + kind),
                  ours.at(attn + "value" + kind)},
                 -1);
      for (const char* part : {"query", "key", "value"}) ours.erase(attn + part + kind);
    }
  }
  return renamed(ours, {{"attn.output", "attn.c_proj"}});
}
