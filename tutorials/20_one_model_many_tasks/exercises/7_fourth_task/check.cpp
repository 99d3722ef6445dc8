#include "tutorials/20_one_model_many_tasks/checking.h"

using gradus::green, gradus::red;

namespace {

constexpr std::uint32_t kDraws = 20000;
constexpr Index kTrain = 1000, kHeldOut = 100;

Prompt drawn(std::uint32_t i) {
  Draws draws{{7, i}};
  return fourth(draws);
}

/// Asks `good` of every example, and names the first that is not.
template <class F>
void ask(const std::string& what, const std::vector<Prompt>& list, const F& good) {
  for (const Prompt& prompt : list) {
    if (good(prompt)) continue;
    red(what, ": not so for\n  \"", prompt.text, "\"\n  -> \"", prompt.answer, "\"");
  }
  green(what);
}

std::vector<std::string> cut(const std::string& text) { return tasks::WordTokenizer::cut(text); }

/// One model: three tasks, then the fourth beside them. A check may take a minute.
void train_four(const Trainer& trainer) {
  using namespace tasks;
  const Course course(kTrain, kHeldOut, {fourth});
  Gpt model = new_gpt(course, 1);
  const auto teach = [&](int steps, const std::vector<Index>& counts, std::uint64_t seed) {
    trainer.learn(model, steps, [&](int step) {
      const auto [inputs, targets] = tasks::batch_of(course.draw(counts, seed, step));
      return model.loss(inputs, targets);
    });
  };
  const auto scores = [&] {
    std::array<double, 4> exact;
    for (std::size_t i = 0; i < 4; ++i) exact[i] = score(model, course.held_out[i]).exact;
    return exact;
  };
  std::printf("\n400 steps on three tasks, then 200 on four ...\n");
  std::fflush(stdout);
  teach(400, {5, 5, 5}, 1);
  const auto before = scores();
  teach(200, {4, 4, 4, 4}, 2);
  const auto after = scores();
  std::printf("exact match  before  after\n");
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string name = i < 3 ? kTasks[i] : "yours";
    std::printf("%-12s %6.2f %6.2f\n", name.c_str(), before[i], after[i]);
  }
  std::printf("\nprompts that no task has:\n");
  const std::string mark = " " + cut(course.data.train[3][0].text).back();
  for (const std::string& prompt :
       {"The girl wears a red dress." + mark, "I love the new park!" + mark,
        std::string("I love the new park! <to-fr>"),
        std::string("Anna Weber opened a shop in Oslo. <to-fr>"),
        std::string("The girl wears a red dress. <summarize>")}) {
    const Tokens answer = answer_to(model, course.words.encode(prompt));
    std::printf("%s\n   -> %s\n", prompt.c_str(), course.words.decode(answer).c_str());
  }
}

}  // namespace

CHECK_ANSWER() {
  std::vector<Prompt> all;
  for (std::uint32_t i = 0; i < kDraws; ++i) all.push_back(drawn(i));
  ask("a prompt and an answer", all,
      [](const Prompt& p) { return !cut(p.text).empty() && !cut(p.answer).empty(); });
  std::uint32_t left = kDraws;
  ask("equal draws give an equal example", {all.rbegin(), all.rend()}, [&](const Prompt& p) {
    const Prompt again = drawn(--left);
    return again.text == p.text && again.answer == p.answer;
  });
  std::set<std::string> known;
  for (const tasks::Generator make : tasks::kGenerators) {
    for (std::uint32_t i = 0; i < 2000; ++i) {
      Draws draws{{1, i}};
      for (const std::string& word : cut(make(draws).text)) known.insert(word);
    }
  }
  const std::string mark = cut(all[0].text).back();
  if (known.contains(mark)) {
    red("a mark of its own: the prompt ends with \"", mark, "\", which other tasks have");
  }
  ask("each prompt ends with the mark " + mark, all,
      [&](const Prompt& p) { return cut(p.text).back() == mark; });
  ask("no mark in an answer", all, [&](const Prompt& p) {
    return std::ranges::none_of(
        cut(p.answer), [&](const std::string& word) { return word == mark || word == "<end>"; });
  });
  ask("at most 40 tokens, and 11 in the answer", all, [](const Prompt& p) {
    const std::size_t answer = cut(p.answer).size();
    return answer <= 11 && cut(p.text).size() + answer <= 40;
  });
  std::map<std::string, std::string> answers;
  ask("a prompt has one answer", all,
      [&](const Prompt& p) { return answers.emplace(p.text, p.answer).first->second == p.answer; });
  std::set<std::string> different;
  for (const Prompt& p : all) different.insert(tasks::without_sign(p.text));
  if (std::ssize(different) < kTrain + kHeldOut) {
    red("1100 different prompts: only ", different.size(), " in ", kDraws, " draws");
  }
  green(different.size(), " different prompts");
  std::map<std::string, Index> counts;
  for (const Prompt& p : all) ++counts[p.answer];
  for (const auto& [answer, count] : counts) {
    if (count * 10 < Index(kDraws) * 9) continue;
    red("no answer fits nine of ten prompts: \"", answer, "\" does");
  }
  green("no answer fits nine of ten prompts");
  Trainer::run(train_four);
}
