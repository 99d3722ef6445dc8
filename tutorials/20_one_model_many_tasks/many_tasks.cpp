// Chapter 20: one GPT for several tasks, with a head for each or with prompts, and forgetting.
#include <cstring>

#include "tutorials/20_one_model_many_tasks/inputs.h"
#include "tutorials/20_one_model_many_tasks/marks.h"
#include "tutorials/20_one_model_many_tasks/one_model.h"
#include "tutorials/common/keep_memory.h"

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  const Course course(2000, 200);
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    long_heads(course), long_nothing(course), long_choices(course), long_forget(course);
    std::vector<Gpt> models = long_three(course);
    long_marks(course, models), long_copies(course, models[0]);
    const Part part("answers");
    answers(course, models[0]);
    return 0;
  }
  examples(course), one_row(course), by_hand(), padding(course), parameters_of(course);
  heads(course);
  Gpt translator = forget(course);
  choices(course, translator);
  const Gpt model = three(course);
  targets(course);
  const Part part("first_answers");
  answers(course, model);
}
// [main]
