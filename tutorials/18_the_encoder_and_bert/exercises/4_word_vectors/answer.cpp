#include "tutorials/18_the_encoder_and_bert/exercises.h"

int load_word_vectors(std::istream& file, const std::vector<std::string>& names, Tensor& table) {
  int known = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string word;
    in >> word;
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) continue;
    std::vector<Scalar> numbers;
    for (Scalar number; in >> number;) numbers.push_back(number);
    check(in.eof() && std::ssize(numbers) == table.size(1), "word vectors: \"", word, "\" has ",
          numbers.size(), " numbers, not ", table.size(1));
    const Index row = found - names.begin();
    std::copy(numbers.begin(), numbers.end(), table.mutable_data() + row * table.size(1));
    ++known;
  }
  return known;
}
