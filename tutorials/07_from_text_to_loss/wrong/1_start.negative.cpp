// rejected: a surprise is never negative
#include "tutorials/07_from_text_to_loss/exercises.h"

double loss_at_the_start(int vocabulary) { return std::log(1.0 / vocabulary); }

double perplexity(const std::vector<double>&) { return 1; }
