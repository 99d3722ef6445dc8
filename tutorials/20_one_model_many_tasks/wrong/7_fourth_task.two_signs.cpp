// rejected: make no difference
#include "tutorials/20_one_model_many_tasks/exercises.h"

namespace {

const tasks::Words kFirst = {"red", "green", "blue", "black", "white", "pink", "small", "big"};
const tasks::Words kThings = {"hat", "bag",  "coat",  "dress", "shirt",
                              "tie", "boat", "house", "phone", "park"};
const tasks::Words kSigns = {".", "!"};

}  // namespace

Prompt fourth(Draws& draws) {
  const std::string a = draws.pick(kFirst), b = draws.pick(kThings), c = draws.pick(kThings);
  const std::string sign = draws.pick(kSigns);
  return {a + " " + b + " " + c + sign + " <back>", c + " " + b + " " + a + sign};
}
