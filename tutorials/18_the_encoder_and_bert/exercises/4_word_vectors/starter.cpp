// Exercise 18.4, 15 minutes: word vectors from a file.
//
// In GloVe's text format, each line has a word and its numbers, with a space between:
//
//     the 0.418 0.24968 -0.41242 0.1217
//
// Write the numbers of each word that is in `names` into the row of `table` [V, C] with the word's
// index in `names`. Skip the other words; leave rows whose word is not in the file as they are. The
// table is a model's parameter: change its numbers, so that the model sees them. Return how many
// words were found. If a line of a known word has not exactly C numbers, throw
// std::invalid_argument.
#include "tutorials/18_the_encoder_and_bert/exercises.h"

int load_word_vectors(std::istream& file, const std::vector<std::string>& names, Tensor& table) {
  return 0;
}
