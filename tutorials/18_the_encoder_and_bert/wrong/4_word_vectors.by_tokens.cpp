// rejected: an unknown word of another width
#include "tutorials/18_the_encoder_and_bert/exercises.h"

int load_word_vectors(std::istream& file, const std::vector<std::string>& names, Tensor& table) {
  int known = 0;
  for (std::string word; file >> word;) {
    const auto found = std::find(names.begin(), names.end(), word);
    for (Index c = 0; c < table.size(1); ++c) {
      Scalar number = 0;
      check(bool(file >> number), "word vectors: no number");
      if (found == names.end()) continue;
      table.mutable_data()[(found - names.begin()) * table.size(1) + c] = number;
    }
    known += found != names.end();
  }
  return known;
}
