#include "tutorials/common/check.h"

#include "tutorials/18_the_encoder_and_bert/exercises.h"

using gradus::as_library, gradus::green, gradus::red;

namespace {

using Changed = std::vector<std::pair<Index, std::vector<Scalar>>>;

/// The rows of the table in `rows` must change to these numbers.
void ask(const std::string& what, const std::string& text, const std::vector<std::string>& names,
         Index channels, int expected_known, const Changed& rows) {
  Tensor table = normal({std::ssize(names), channels}, {.seed = 3}).set_requires_grad();
  gradus::Tensor expected = as_library(table).clone();
  for (const auto& [row, numbers] : rows) {
    std::copy(numbers.begin(), numbers.end(), expected.mutable_data() + row * channels);
  }
  const Tensor model = table;  // a model has the table as a parameter
  std::istringstream file(text);
  int known = 0;
  try {
    known = load_word_vectors(file, names, table);
  } catch (const std::exception& error) {
    red(what, ": threw \"", error.what(), "\"");
  }
  if (gradus::is_close(as_library(table), expected) &&
      !gradus::is_close(as_library(model), expected)) {
    red(what,
        ": the model's table is as before\nlikely cause: a new tensor was put into the "
        "variable; write into the table's own numbers, with mutable_data()");
  }
  gradus::expect(what, as_library(model), expected);
  if (!table.requires_grad()) red(what, ": the table no longer has a gradient");
  if (known != expected_known) {
    red(what, ": returned ", known, ", expected ", expected_known,
        "\nlikely cause: count the words that were found in `names`");
  }
}

void must_throw(const std::string& what, const std::string& text) {
  Tensor table({2, 3});
  std::istringstream file(text);
  if (gradus::refusal([&] { load_word_vectors(file, {"[PAD]", "soup"}, table); })) {
    return green(what, ": throws std::invalid_argument");
  }
  red(what, ": no std::invalid_argument\nlikely cause: a line of the wrong width went unnoticed");
}

}  // namespace

CHECK_ANSWER() {
  ask("three words in the table's order", "the 1 2 3\nsoup 4 5 6\nwas 7 8 9\n",
      {"the", "soup", "was"}, 3, 3, {{0, {1, 2, 3}}, {1, {4, 5, 6}}, {2, {7, 8, 9}}});
  ask("the file in another order, with special tokens", "was 7 8\nthe 1 2\n",
      {"[PAD]", "[CLS]", "the", "soup", "was"}, 2, 2, {{4, {7, 8}}, {2, {1, 2}}});
  ask("unknown words", "fox 9 9 9 9\nsoup 0.5 -1.25 3e-2 -4E1\nhen 8 8 8 8\n",
      {"[UNK]", "the", "soup"}, 4, 1, {{2, {Scalar(0.5), Scalar(-1.25), Scalar(0.03), -40}}});
  ask("words that begin alike", "so 1 1\nsoups 2 2\nSoup 3 3\nsoup 4 4\n", {"soup", "sou"}, 2, 1,
      {{0, {4, 4}}});
  ask("words that are signs or numbers", ". 1 2\n, 3 4\n1984 5 6\n- 7 8\n", {"1984", ".", ","}, 2,
      3, {{0, {5, 6}}, {1, {1, 2}}, {2, {3, 4}}});
  ask("no line end behind the last line", "soup 1 2\nthe 3 4", {"the", "soup"}, 2, 2,
      {{0, {3, 4}}, {1, {1, 2}}});
  ask("an unknown word of another width", "new york 1 2\nsoup 3 4\n", {"soup"}, 2, 1,
      {{0, {3, 4}}});
  ask("an empty file", "", {"the", "soup"}, 3, 0, {});
  ask("one channel", "the 5\nsoup -6\n", {"soup", "the"}, 1, 2, {{0, {-6}}, {1, {5}}});
  std::string file;
  std::vector<std::string> names;
  Changed rows;
  for (int i = 0; i < 400; ++i) {
    const std::string word = "w" + std::to_string(i);
    if (i % 3 > 0) names.push_back(word);
    if (i % 2 == 0) continue;
    file += word;
    std::vector<Scalar> numbers;
    for (int c = 0; c < 50; ++c) {
      numbers.push_back(Scalar(i + c) / 8);
      file += " " + std::to_string(double(i + c) / 8);
    }
    file += "\n";
    if (i % 3 > 0) rows.emplace_back(std::ssize(names) - 1, numbers);
  }
  ask("200 lines of 50 numbers", file, names, 50, int(rows.size()), rows);
  must_throw("too few numbers", "soup 1 2\n");
  must_throw("too many numbers", "soup 1 2 3 4\n");
  must_throw("something that is not a number", "soup 1 2 x\n");
  must_throw("no numbers", "soup\n");
}
