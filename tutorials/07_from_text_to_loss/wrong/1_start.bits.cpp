// rejected: that is in bits
#include "tutorials/07_from_text_to_loss/exercises.h"

double loss_at_the_start(int vocabulary) { return std::log2(vocabulary); }

double perplexity(const std::vector<double>&) { return 1; }
