// rejected: it was not accepted, though it follows the rule
#include "tutorials/18_the_encoder_and_bert/exercises.h"

bool follows_the_rule(const Masker&) { return false; }
