// Exercise 20.3, 15 minutes: which answer is the most probable?
//
// A model need not write to choose: it can say how probable each of some given answers is after the
// prompt. The probability of an answer is the product of the probabilities of its tokens, each
// given the prompt and the answer's tokens before it. Return the index of the most probable answer.
// Answers may have different lengths, and dozens of tokens.
#include "tutorials/20_one_model_many_tasks/exercises.h"

std::size_t most_probable(const Gpt& model, const Tokens& prompt,
                          const std::vector<Tokens>& answers) {
  return 0;
}
