/// @file
/// Chapter 20: a model's answers, and whether it follows another task's mark.
#pragma once

#include "tutorials/20_one_model_many_tasks/targets.h"

// [answers]
inline void answers(const Course& course, const Gpt& model) {
  for (const Prompt& prompt : kShown) {
    const Tokens answer = answer_to(model, course.words.encode(prompt.text));
    std::printf("%s\n   -> %s\n", wrapped(prompt.text).c_str(),
                course.words.decode(answer).c_str());
  }
}
// [answers]

// [marks]
inline const std::array<std::string, 3> kNames = {"tweet", "sentence", "report"};

/// Tries each held-out text with each mark: is the answer's first word of the mark's kind?
inline void long_marks(const Course& course, std::vector<Gpt>& models) {
  const Part part("long_marks");
  std::array<std::set<std::int32_t>, 3> starts;  // for each task: the first words of its answers
  for (std::size_t task = 0; task < 3; ++task) {
    for (const Row& row : course.train[task]) starts[task].insert(row.answer[0]);
  }
  std::vector<std::string> heads;
  for (const Prompt& prompt : kShown)
    heads.push_back(prompt.text.substr(prompt.text.rfind(' ') + 1));
  print_heads("text", heads);
  for (std::size_t text = 0; text < 3; ++text) {
    Columns obeyed(3);
    for (std::size_t mark = 0; mark < 3; ++mark) {
      Rows rows = course.held_out[text];
      for (Row& row : rows)
        row = {row.prompt, {kEnd}}, row.prompt.back() = course.words.encode(heads[mark])[0];
      for (const Gpt& model : models) {
        const NoGrad no_grad;
        const IndexTensor inputs = batch_of(rows).inputs, best = argmax(model(inputs), -1);
        double right = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const Index at = Index(i) * inputs.size(1) + std::ssize(rows[i].prompt) - 1;
          right += double(starts[mark].contains(best.data()[at]));
        }
        obeyed[mark].push_back(right / double(rows.size()));
      }
    }
    print_row(kNames[text], obeyed);
  }
  for (const std::size_t text : {0, 1}) {
    Tokens prompt = course.words.encode(kShown[text].text);
    prompt.back() = course.words.encode(heads[text + 1])[0];
    std::printf("%s\n   -> %s\n", course.words.decode(prompt).c_str(),
                course.words.decode(answer_to(models[0], prompt)).c_str());
  }
}
// [marks]
