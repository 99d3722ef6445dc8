// The same sentence with "not". Its verb then loses the s.
#include "tutorials/20_one_model_many_tasks/exercises.h"

Prompt fourth(Draws& draws) {
  struct Subject {
    std::string words;
    bool plural;
  };
  static const std::vector<Subject> subjects = {
      {"The girl", false}, {"The boys", true}, {"My sister", false}, {"The women", true},
      {"She", false},      {"He", false},      {"Anna", false},      {"Hugo", false}};
  static const tasks::Words verbs = {"wear", "see", "buy", "sell", "want", "like"};
  static const tasks::Words qualities = {"", "red ", "green ", "small ", "new "};
  static const tasks::Words things = {"dress", "shirt", "hat",   "coat",
                                      "bag",   "boat",  "house", "phone"};
  const Subject& subject = draws.pick(subjects);
  const std::string& verb = draws.pick(verbs);
  const std::string quality = draws.pick(qualities);
  const std::string what = " the " + quality + draws.pick(things) + ".";
  return {subject.words + " " + verb + (subject.plural ? "" : "s") + what + " <not>",
          subject.words + (subject.plural ? " do not " : " does not ") + verb + what};
}
