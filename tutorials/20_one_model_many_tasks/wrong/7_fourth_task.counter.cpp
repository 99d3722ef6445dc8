// rejected: all chance must come from `draws`
#include "tutorials/20_one_model_many_tasks/exercises.h"

namespace {

const tasks::Words kFirst = {"red", "green", "blue", "black", "white", "pink"};
const tasks::Words kThings = {"hat", "bag", "coat", "dress", "shirt", "tie", "boat", "house"};

}  // namespace

Prompt fourth(Draws& draws) {
  const std::string a = draws.pick(kThings), b = draws.pick(kThings), c = draws.pick(kThings);
  const std::string colour = draws.pick(kFirst);
  static int count = 0;
  const std::string number = ++count % 2 == 0 ? "even" : "odd";
  return {number + " " + colour + " " + a + " " + b + " " + c + " <back>",
          c + " " + b + " " + a + " " + colour};
}
