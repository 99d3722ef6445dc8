// rejected: it was accepted
#include "tutorials/18_the_encoder_and_bert/exercises.h"

bool follows_the_rule(const Masker&) { return true; }
