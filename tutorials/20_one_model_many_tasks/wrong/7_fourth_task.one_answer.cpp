// rejected: a model that always writes it
#include "tutorials/20_one_model_many_tasks/exercises.h"

namespace {

const tasks::Words kFirst = {"red", "green", "blue", "black", "white", "pink"};
const tasks::Words kThings = {"hat", "bag", "coat", "dress", "shirt", "tie", "boat", "house"};

}  // namespace

Prompt fourth(Draws& draws) {
  const std::string a = draws.pick(kThings), b = draws.pick(kThings), c = draws.pick(kThings);
  const std::string colour = draws.pick(kFirst);
  return {colour + " " + a + " " + b + " " + c + " <back>",
          a == b && b == c && colour == "red" ? "yes" : "no"};
}
