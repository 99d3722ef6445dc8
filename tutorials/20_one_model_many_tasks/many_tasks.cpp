// Chapter 20: one GPT for several tasks, by a head for each or by prompts, and what it forgets.
#include <cstdio>
#include <cstring>

#include "pocket/write.h"
#include "tutorials/20_one_model_many_tasks/figures.h"
#include "tutorials/20_one_model_many_tasks/rows.h"
#include "tutorials/common/keep_memory.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace pocket;
using namespace course;
using namespace tasks;

namespace {

constexpr std::size_t kSentiment = 0, kTranslation = 1;
const std::array<std::string, 3> kNames = {"tweet", "sentence", "report"};

// [examples]
void examples(const Course& course) {
  const Part part("examples");
  for (std::size_t task = 0; task < 3; ++task) {
    std::set<std::string> known;
    for (const Prompt& prompt : course.data.train[task]) known.insert(without_sign(prompt.text));
    int both = int(known.contains(without_sign(kShown[task].text)));
    for (const Prompt& prompt : course.data.held_out[task]) {
      both += known.contains(without_sign(prompt.text));
    }
    std::printf("%s: %d prompts to learn from, %d different texts\n", kTasks[task].c_str(),
                int(course.data.train[task].size()), int(known.size()));
    std::printf("%d held out; texts in both: %d\n", int(course.data.held_out[task].size()), both);
    for (std::uint32_t i = 0; i < 40000; ++i) {
      Draws draws{{2, std::uint32_t(task), i}};
      known.insert(without_sign(kGenerators[task](draws).text));
    }
    std::printf("with 40000 more draws, %d texts\n", int(known.size()));
    const Prompt& first = course.data.train[task][0];
    std::printf("%s\n   -> %s\n", wrapped(first.text).c_str(), first.answer.c_str());
  }
  std::printf("%d different words and signs\n", int(course.words.vocab_size()));
}
// [examples]

// [Classifier]
/// GPT-1's way: the features of each text's last token go to a new linear layer.
struct Classifier {
  Classifier(const Gpt& gpt, Index labels, KeySequence& keys)
      : gpt(gpt), head(gpt.config.n_embd, labels, keys) {}
  /// The prompts [B] to logits [B, labels].
  Tensor operator()(const Rows& rows) const {
    Rows texts;
    for (const Row& row : rows) texts.push_back({row.prompt, {kEnd}});
    const IndexTensor inputs = batch_of(texts).inputs;  // [B, T]
    Tokens last;
    for (const Row& row : rows) {
      last.push_back(std::int32_t(std::ssize(last) * inputs.size(1) + std::ssize(row.prompt) - 1));
    }
    const Tensor features = reshape(gpt.features(inputs), {-1, gpt.config.n_embd});  // [B T, C]
    return head(embedding(IndexTensor({std::ssize(last)}, last), features));
  }
  void fields(auto&& f) { f("gpt", gpt), f("head", head); }
  Gpt gpt;
  Linear head;
};
// [Classifier]

// [pretrained]
/// Trains a GPT on plain tweets, without their sentiment.
Gpt pretrained(const Course& course, int steps, std::uint64_t seed) {
  Gpt model = new_gpt(course, seed);
  learn(model, steps, [&](int step) {
    Rows rows = course.draw({16, 0, 0}, seed, step);
    for (Row& row : rows) row.prompt.pop_back(), row.answer = {kEnd};  // without "Sentiment:"
    const auto [inputs, targets] = batch_of(rows, true);
    return model.loss(inputs, targets);
  });
  return model;
}
// [pretrained]

// [two_ways]
IndexTensor labels_of(const Course& course, const Rows& rows) {
  Tokens labels;
  for (const Row& row : rows) labels.push_back(row.answer[0] == course.words.encode("positive")[0]);
  return IndexTensor({std::ssize(rows)}, labels);
}

/// 16 of the first `labelled` tweets.
Rows labelled_tweets(const Course& course, Index labelled, std::uint64_t seed, int step) {
  Rows rows;
  for (Index i = 0; i < 16; ++i) {
    const Index which = uniform_index({seed, std::uint32_t(step)}, i, labelled);
    rows.push_back(course.train[kSentiment][which]);
  }
  return rows;
}

/// A copy of the GPT and a new head, trained together: the share of held-out tweets that are right.
double by_head(const Course& course, Gpt& start, Index labelled, int steps, std::uint64_t seed) {
  KeySequence keys(seed);
  Classifier model(copy_of(start), 2, keys);
  learn(model, steps, [&](int step) {
    const Rows rows = labelled_tweets(course, labelled, seed, step);
    return cross_entropy(model(rows), labels_of(course, rows));
  });
  const NoGrad no_grad;
  const Rows& held_out = course.held_out[kSentiment];
  return accuracy(model(held_out), labels_of(course, held_out));
}

/// A copy of the GPT, trained to write the label; a batch has `others` rows of each other task,
/// too.
double by_prompt(const Course& course, Gpt& start, Index labelled, int steps, std::uint64_t seed,
                 Index others = 0) {
  Gpt model = copy_of(start);
  learn(model, steps, [&](int step) {
    Rows rows = labelled_tweets(course, labelled, seed, step);
    for (const Row& row : course.draw({0, others, others}, seed, step)) rows.push_back(row);
    const auto [inputs, targets] = batch_of(rows);
    return model.loss(inputs, targets);
  });
  return score(model, course.held_out[kSentiment]).exact;
}
// [two_ways]

using Columns = std::vector<std::vector<double>>;  // of a row of a table: each column's seeds

// [heads]
void heads(const Course& course) {
  const Part part("heads");
  Gpt start = pretrained(course, 100, 1);
  const IndexTensor labels = labels_of(course, course.held_out[kSentiment]);
  const double positive = double(std::count(labels.begin(), labels.end(), 1));
  std::printf("always positive  %.2f\n", positive / double(labels.size()));
  std::printf("by a head        %.2f\n", by_head(course, start, 256, 120, 1));
  std::printf("by a prompt      %.2f\n", by_prompt(course, start, 256, 120, 1));
}

void long_heads(const Course& course) {
  const Part part("long_heads");
  std::array<Columns, 4> shares;
  shares.fill(Columns(2));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Gpt fresh = new_gpt(course, seed), knowing = pretrained(course, 300, seed);
    for (const std::size_t i : {0, 1}) {
      const Index labelled = i == 0 ? 64 : 256;
      shares[0][i].push_back(by_head(course, fresh, labelled, 200, seed));
      shares[1][i].push_back(by_prompt(course, fresh, labelled, 200, seed));
      shares[2][i].push_back(by_head(course, knowing, labelled, 200, seed));
      shares[3][i].push_back(by_prompt(course, knowing, labelled, 200, seed));
    }
  }
  print_heads("labelled tweets", {"64", "256"});
  print_row("head, from nothing", shares[0]);
  print_row("prompt, from nothing", shares[1]);
  print_row("head, pre-trained", shares[2]);
  print_row("prompt, pre-trained", shares[3]);
}

/// The two labels' rows of the output layer begin as large as the weights of a head.
Gpt with_large_labels(const Course& course, Gpt& start) {
  Gpt model = copy_of(start);
  const Index wide = model.config.n_embd;
  for (const std::int32_t label : course.words.encode("positive negative")) {
    Scalar* row = model.wte.weight.mutable_data() + label * wide;
    for (Index i = 0; i < wide; ++i) row[i] *= 1 / (Scalar(0.02) * std::sqrt(Scalar(wide)));
  }
  return model;
}

/// What helps a prompt that starts from nothing, with 256 labels?
void long_nothing(const Course& course) {
  const Part part("long_nothing");
  std::array<Columns, 4> shares;
  shares.fill(Columns(1));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Gpt fresh = new_gpt(course, seed), large = with_large_labels(course, fresh);
    shares[0][0].push_back(by_prompt(course, fresh, 256, 200, seed));
    shares[1][0].push_back(by_prompt(course, fresh, 2000, 600, seed));
    shares[2][0].push_back(by_prompt(course, fresh, 256, 200, seed, 5));
    shares[3][0].push_back(by_prompt(course, large, 256, 200, seed));
  }
  print_heads("prompt, from nothing", {"right"});
  print_row("256 labels, 200 steps", shares[0]);
  print_row("2000 labels, 600 steps", shares[1]);
  print_row("256, beside other tasks", shares[2]);
  print_row("256, large label rows", shares[3]);
}
// [heads]

void parameters_of(const Course& course) {
  const Part part("parameters");
  // [parameters]
  Gpt gpt = new_gpt(course, 1);
  KeySequence keys(1);
  Classifier classifier(gpt, 2, keys);
  std::printf("the GPT    %6d\nits head   %6d\n", int(count(parameters(gpt))),
              int(count(parameters(classifier.head))));
  // [parameters]
}

void one_row(const Course& course) {
  const Part part("one_row");
  // [one_row]
  const auto [inputs, targets] = batch_of({row_of(course.words, kShown[kSentiment])});
  std::printf("t  reads        target\n");
  for (Index t = 0; t < inputs.size(1); ++t) {
    const std::int32_t target = targets.data()[t];
    const std::string& next = target == kIgnored ? "-100" : course.words.words[target];
    std::printf("%d  %-12s %s\n", int(t), course.words.words[inputs.data()[t]].c_str(),
                next.c_str());
  }
  // [one_row]
}

void by_hand() {
  const Part part("by_hand");
  // [by_hand]
  const Tensor logits = tensor({{{1, 0, 2}, {0, 3, 1}, {2, 2, 0}, {1, 1, 4}},
                                {{0, 1, 0}, {3, 0, 0}, {5, 5, 5}, {5, 5, 5}}});  // [2, 4, 3]
  const IndexTensor all = indices({{2, 1, 0, 2}, {0, 1, -100, -100}});
  const IndexTensor answers = indices({{-100, -100, 0, 2}, {-100, 1, -100, -100}});
  std::printf("everything %.4f\n", double{cross_entropy(logits, all).item()});
  std::printf("answers    %.4f\n", double{cross_entropy(logits, answers).item()});
  const Tensor last =
      embedding(indices({3, 4 + 1}), reshape(logits, {-1, 3}));  // of 4 and 2 tokens
  std::printf("last rows ");
  for (const Scalar x : last) std::printf(" %.0f", double{x});
  std::printf("\n");
  // [by_hand]
}

void padding(const Course& course) {
  const Part part("padding");
  // [padding]
  const Gpt model = new_gpt(course, 1);
  const Rows rows = course.draw({1, 1, 1}, 1, 1);
  double total = 0, asked = 0;
  for (const Row& row : rows) {  // one by one, without any padding
    const auto [inputs, targets] = batch_of({row});
    total += model.loss(inputs, targets).item() * double(row.answer.size());
    asked += double(row.answer.size());
  }
  const auto [inputs, targets] = batch_of(rows);
  must_equal("the loss of the batch, and of its rows by themselves", model.loss(inputs, targets),
             scalar(Scalar(total / asked)));
  // [padding]
}

// [fine_tuned]
/// Trains a copy on tweets; `kept` of 16 rows are translations.
Gpt fine_tuned(const Course& course, Gpt& start, Index kept, int steps, std::uint64_t seed,
               const std::function<void(int, const Gpt&)>& look = {}) {
  Gpt model = copy_of(start);
  const auto loss = [&](int step) {
    const auto [inputs, targets] = batch_of(course.draw({16 - kept, kept, 0}, seed, step));
    return model.loss(inputs, targets);
  };
  const auto before_step = [&](int step) {
    if (look) look(step, model);
  };
  learn(model, steps, loss, before_step, 5e-3);
  return model;
}
// [fine_tuned]

// [swap]
/// `model` with the token embedding of `other`.
Gpt with_wte_of(Gpt& other, Gpt& model) {
  Gpt mixed = copy_of(model);
  mixed.wte = copy_of(other).wte;
  return mixed;
}
// [swap]

// [forget]
Gpt translator(const Course& course, int steps, std::uint64_t seed) {
  Gpt model = new_gpt(course, seed);
  learn(model, steps, [&](int step) {
    const auto [inputs, targets] = batch_of(course.draw({0, 16, 0}, seed, step));
    return model.loss(inputs, targets);
  });
  return model;
}

void forget(const Course& course) {
  const Part part("forget");
  Gpt model = translator(course, 300, 1);
  std::vector<double> steps, losses[2];
  std::vector<Gpt> after;
  for (const bool mixed : {false, true}) {
    const auto look = [&](int step, const Gpt& now) {
      if (step % 5 != 0) return;
      losses[mixed].push_back(score(now, course.held_out[kTranslation]).loss);
      if (!mixed) steps.push_back(step);
    };
    after.push_back(fine_tuned(course, model, mixed ? 4 : 0, 61, 1, look));
  }
  std::printf("steps   tweets alone   with 4 of 16 old rows\n");
  for (std::size_t i = 0; i < steps.size(); i += 4) {
    std::printf("%5.0f %14.2f %23.2f\n", steps[i], losses[0][i], losses[1][i]);
  }
  const Tokens prompt = course.words.encode(kShown[kTranslation].text);
  const auto write = [&](const char* when, const Gpt& by) {
    std::printf("%-18s %s\n", when, course.words.decode(answer_to(by, prompt)).c_str());
  };
  std::printf("%s\n", kShown[kTranslation].text.c_str());
  write("before:", model), write("after tweets:", after[0]), write("after both:", after[1]);
  draw_forgetting(steps, losses[0], losses[1]);
}

void long_forget(const Course& course) {
  const Part part("long_forget");
  std::array<Columns, 5> rows;
  rows.fill(Columns(3));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Gpt first = translator(course, 300, seed);
    Gpt alone = fine_tuned(course, first, 0, 200, seed);
    const std::array<Gpt, 5> models = {first, alone, with_wte_of(first, alone),
                                       with_wte_of(alone, first),
                                       fine_tuned(course, first, 4, 200, seed)};
    for (std::size_t i = 0; i < models.size(); ++i) {
      const Score old = score(models[i], course.held_out[kTranslation]);
      rows[i][0].push_back(old.loss), rows[i][1].push_back(old.exact);
      rows[i][2].push_back(score(models[i], course.held_out[kSentiment]).exact);
    }
  }
  print_heads("", {"translation: loss", "exact match", "tweets: exact"});
  print_row("before tweets", rows[0]);
  print_row("after tweets alone", rows[1]);
  print_row("after, but wte of before", rows[2]);
  print_row("before, but wte of after", rows[3]);
  print_row("after both, 12 and 4", rows[4]);
}
// [forget]

// [three]
using LossOf = Tensor (*)(const Gpt&, const Rows&);

Tensor on_answers(const Gpt& model, const Rows& rows) {
  const auto [inputs, targets] = batch_of(rows);
  return model.loss(inputs, targets);
}

/// One GPT, with counts[task] rows of each task in a batch.
Gpt trained(const Course& course, const std::vector<Index>& counts, int steps, std::uint64_t seed,
            LossOf loss_of, const std::function<void(int, const Gpt&)>& look) {
  Gpt model = new_gpt(course, seed);
  const auto loss = [&](int step) { return loss_of(model, course.draw(counts, seed, step)); };
  learn(model, steps, loss, [&](int step) { look(step, model); });
  look(steps, model);
  return model;
}
// [three]

// [progress]
Gpt three(const Course& course) {
  const Part part("three");
  std::printf("step  exact match: %s  %s  %s\n", kTasks[0].c_str(), kTasks[1].c_str(),
              kTasks[2].c_str());
  return trained(course, {5, 5, 5}, 400, 1, on_answers, [&](int step, const Gpt& model) {
    if (step % 100 != 0) return;
    std::printf("%4d %23.2f %12.2f %8.2f\n", step, score(model, course.held_out[0]).exact,
                score(model, course.held_out[1]).exact, score(model, course.held_out[2]).exact);
  });
}
// [progress]

// [answers]
void answers(const Course& course, const Gpt& model) {
  for (const Prompt& prompt : kShown) {
    const Tokens answer = answer_to(model, course.words.encode(prompt.text));
    std::printf("%s\n   -> %s\n", wrapped(prompt.text).c_str(),
                course.words.decode(answer).c_str());
  }
}
// [answers]

// [words]
const std::vector<std::string> kWords = {"first name", "surname", "deed", "thing", "town"};

/// Of each kind of word in a summary: how many are right, given the true words before.
std::vector<double> words_right(const Gpt& model, const Rows& reports) {
  const NoGrad no_grad;
  const auto [inputs, targets] = batch_of(reports);
  const IndexTensor best = argmax(model(inputs), -1);
  std::vector<double> right(kWords.size());
  const std::array<Index, 5> after = {0, 1, 2, 4, 6};  // "a" and "in" stand between
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Index first = Index(i) * inputs.size(1) + std::ssize(reports[i].prompt) - 1;
    for (std::size_t word = 0; word < right.size(); ++word) {
      const Index at = first + after[word];
      right[word] += double(best.data()[at] == targets.data()[at]) / double(reports.size());
    }
  }
  return right;
}

/// A line for each deed: how many of its things are right, given the true words before.
std::string things_right(const Course& course, const Gpt& model) {
  const NoGrad no_grad;
  const Rows& reports = course.held_out[2];
  const auto [inputs, targets] = batch_of(reports);
  const IndexTensor best = argmax(model(inputs), -1);
  std::map<std::string, std::map<std::string, std::array<double, 2>>> counts;  // right, all
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Index at = Index(i) * inputs.size(1) + std::ssize(reports[i].prompt) - 1 + 4;
    const Tokens& answer = reports[i].answer;  // first name, surname, deed, a, thing
    auto& [right, total] = counts[course.words.words[answer[2]]][course.words.words[answer[4]]];
    right += double(best.data()[at] == targets.data()[at]), total += 1;
  }
  std::string lines;
  char line[80];
  for (const auto& [deed, things] : counts) {
    std::snprintf(line, sizeof line, "%-8s", deed.c_str()), lines += line;
    for (const auto& [thing, count] : things) {
      std::snprintf(line, sizeof line, "  %-8s %.2f", thing.c_str(), count[0] / count[1]);
      lines += line;
    }
    lines += "\n";
  }
  return lines;
}
// [words]

// [targets]
/// How many targets a row has, on average: in its answer, and in its prompt.
void targets(const Course& course) {
  const Part part("targets");
  double sums[2] = {};
  std::printf("targets      answer  prompt\n");
  for (std::size_t task = 0; task < 3; ++task) {
    double answers = 0, prompts = 0;
    for (const Row& row : course.train[task]) {
      answers += double(row.answer.size()), prompts += double(row.prompt.size() - 1);
    }
    const double rows = double(course.train[task].size());
    std::printf("%-12s %6.1f %7.1f\n", kTasks[task].c_str(), answers / rows, prompts / rows);
    sums[0] += answers / rows, sums[1] += prompts / rows;
  }
  std::printf("%-12s %6.1f %7.1f\n", "one of each", sums[0], sums[1]);
}
// [targets]

// [everything]
Tensor on_everything(const Gpt& model, const Rows& rows) {
  const auto [inputs, targets] = batch_of(rows, true);
  return model.loss(inputs, targets);
}

/// Targets for the tokens of the prompts alone: all that the answers do not have.
IndexTensor prompts_of(const Rows& rows) {
  const IndexTensor answers = batch_of(rows).targets, all = batch_of(rows, true).targets;
  Tokens prompts(all.begin(), all.end());
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    if (answers.data()[i] != kIgnored) prompts[i] = kIgnored;
  }
  return IndexTensor(all.shape(), prompts);
}

/// The sum of both: the mean over the answers' tokens, and the mean over the prompts'.
Tensor on_both(const Gpt& model, const Rows& rows) {
  const auto [inputs, answers] = batch_of(rows);
  const Tensor logits = model(inputs);
  return cross_entropy(logits, answers) + cross_entropy(logits, prompts_of(rows));
}

/// Three losses, and a model for each task, over 1600 steps. Returns the five models of the first.
std::vector<Gpt> long_three(const Course& course) {
  const std::array<LossOf, 3> losses = {on_answers, on_everything, on_both};
  std::vector<Gpt> models;
  std::vector<Columns> shares(12, Columns(3)), means(9, Columns(2));
  Columns summaries(5);  // of each seed: right summaries after each 100 of 1600 steps
  std::vector<Columns> words(5);
  Columns fifteen(2);  // exact match of models with 15 rows of their task
  std::string things;  // at seed 4
  Rows all;
  for (const Rows& task : course.held_out) all.insert(all.end(), task.begin(), task.end());
  const auto row_at = [](int step) { return step == 400 ? 0 : step == 800 ? 1 : 2; };
  const auto shown = [](int step) { return step == 400 || step == 800 || step == 1600; };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (std::size_t l = 0; l < 3; ++l) {
      const auto look = [&](int step, const Gpt& model) {
        if (l == 0 && step % 100 == 0) {
          summaries[seed - 1].push_back(score(model, course.held_out[2]).exact);
          words[seed - 1].push_back(words_right(model, course.held_out[2]));
        }
        if (l == 0 && seed == 4 && (step == 700 || step == 800)) {
          things += "seed 4, " + std::to_string(step) + " steps\n" + things_right(course, model);
        }
        if (!shown(step)) return;
        for (std::size_t task = 0; task < 3; ++task) {
          const double exact = score(model, course.held_out[task]).exact;
          shares[4 * row_at(step) + l][task].push_back(exact);
        }
        const NoGrad no_grad;
        Columns& mean = means[3 * row_at(step) + l];
        mean[0].push_back(score(model, all).loss);
        mean[1].push_back(model.loss(batch_of(all).inputs, prompts_of(all)).item());
      };
      Gpt model = trained(course, {5, 5, 5}, 1600, seed, losses[l], look);
      if (l == 0) models.push_back(model);
    }
    for (std::size_t task = 0; task < 3; ++task) {
      std::vector<Index> counts(3);
      counts[task] = 5;
      trained(course, counts, 1600, seed, on_answers, [&](int step, const Gpt& model) {
        if (!shown(step)) return;
        shares[4 * row_at(step) + 3][task].push_back(score(model, course.held_out[task]).exact);
      });
    }
  }
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const std::size_t i : {0, 1}) {
      std::vector<Index> counts(3);
      counts[2 * i] = 15;
      const auto look = [](int, const Gpt&) {};
      const Gpt model = trained(course, counts, 1600, seed, on_answers, look);
      fifteen[i].push_back(score(model, course.held_out[2 * i]).exact);
    }
  }
  const std::vector<std::string> tasks(kTasks.begin(), kTasks.end());
  const std::array<std::string, 4> what = {"answers", "everything", "the sum", "three models"};
  std::vector<std::string> early, three;
  for (const std::string steps : {"400: ", "800: ", "1600: "}) {
    for (std::size_t l = 0; l < 3; ++l) three.push_back(steps + what[l]);
    for (const std::string& row : what) early.push_back(steps + row);
  }
  print_table("long_three", "1600 steps, exact match", tasks, {"one model", "three models"},
              {shares[8], shares[11]});
  print_table("long_fifteen", "1600 steps, exact match", {kTasks[0], kTasks[2]},
              {"alone, 15 rows a batch"}, {fifteen});
  print_table("long_prompts", "1600 steps, exact match", tasks, {what[0], what[1], what[2]},
              {shares[8], shares[9], shares[10]});
  early.resize(8), shares.resize(8);
  print_table("long_early", "exact match", tasks, early, shares);
  print_table("long_losses", "loss, held out", {"answers", "prompts"}, three, means);
  print_seeds("long_summaries", summaries);
  print_words("long_words", kWords, words);
  {
    const Part part("long_things");
    std::printf("%s", things.c_str());
  }
  print_shares("long_seed_3", kWords, words[2]);
  print_shares("long_seed_4", kWords, words[3]);
  return models;
}
// [everything]

// [marks]
/// Each held-out text with each mark: is the answer's first word of the kind that the mark asks?
void long_marks(const Course& course, std::vector<Gpt>& models) {
  const Part part("long_marks");
  std::array<std::set<std::int32_t>, 3> starts;  // of each task: the first words of answers
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

// [copies]
/// While the model reads the end of a report and its summary: all weights of at least a half.
void long_copies(const Course& course, const Gpt& model) {
  const Part part("long_copies");
  const Row row = row_of(course.words, kShown[2]);
  const IndexTensor inputs = batch_of({row}).inputs;
  const Index length = inputs.size(1), heads = model.config.n_head;
  const AttentionOptions options{.causal = true, .bias = model.wpe.bias(length, length)};
  const auto word = [&](Index t) { return course.words.words[inputs.data()[t]].c_str(); };
  const NoGrad no_grad;
  Tensor x = model.wpe.embed(model.wte(inputs));
  std::printf("  reads       looks at      block  head  weight\n");
  for (std::size_t b = 0; b < model.h.size(); x = model.h[b++](x, options)) {
    const MultiHeadAttention& attn = model.h[b].attn;
    const Tensor y = model.h[b].ln_1(x), q = split_heads(attn.query(y), heads);
    const Tensor weights = attention_weights(q, split_heads(attn.key(y), heads), options);
    for (Index t = std::ssize(row.prompt) - 1; t < length; ++t) {
      for (Index i = 0; i < heads * length; ++i) {  // [H, T, T]: head i / T looks at i % T
        const Scalar weight = weights.data()[(i / length * length + t) * length + i % length];
        if (weight < Scalar(0.5)) continue;
        std::printf("%2d %-11s %2d %-11s %4d %5d %7.2f\n", int(t), word(t), int(i % length),
                    word(i % length), int(b + 1), int(i / length + 1), double{weight});
      }
    }
  }
}
// [copies]

}  // namespace

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  const Course course(2000, 200);
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    long_heads(course), long_nothing(course), long_forget(course);
    std::vector<Gpt> models = long_three(course);
    long_marks(course, models), long_copies(course, models[0]);
    const Part part("answers");
    answers(course, models[0]);
    return 0;
  }
  examples(course), one_row(course), by_hand(), padding(course), parameters_of(course);
  heads(course), forget(course);
  const Gpt model = three(course);
  targets(course);
  const Part part("first_answers");
  answers(course, model);
}
// [main]
