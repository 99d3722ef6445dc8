// rejected: 1100 different prompts: only 512
#include "tutorials/20_one_model_many_tasks/exercises.h"

namespace {

const tasks::Words kFirst = {"red", "green", "blue", "black", "white", "pink"};
const tasks::Words kThings = {"hat", "bag", "coat", "dress", "shirt", "tie", "boat", "house"};

}  // namespace

Prompt fourth(Draws& draws) {
  const std::string a = draws.pick(kThings), b = draws.pick(kThings), c = draws.pick(kThings);
  return {a + " " + b + " " + c + " <back>", c + " " + b + " " + a};
}
