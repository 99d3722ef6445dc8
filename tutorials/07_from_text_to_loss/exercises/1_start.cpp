// Exercise 07.1, 5 minutes: the loss at the start, and perplexity.
//
// loss_at_the_start: the loss, in nats, of a model that holds each of `vocabulary` tokens for
// equally likely. perplexity: among how many equally likely tokens a model was as unsure as at
// these; `probabilities` is what it gave to each token that came.
#include "tutorials/07_from_text_to_loss/exercises.h"

double loss_at_the_start(int vocabulary) { return 0; }

double perplexity(const std::vector<double>& probabilities) { return 0; }
