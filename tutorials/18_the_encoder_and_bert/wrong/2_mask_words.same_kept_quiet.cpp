// rejected: those whose first draw is below 0.15
const Scalar *asked = draws.data() + 3 * i, *kind = asked + 1, *which = asked + 2;
const bool is_word = std::count(words.begin(), words.end(), inputs[i]) > 0;
if (!is_word || *asked >= Scalar(0.15)) continue;
if (*kind >= Scalar(0.8) && *kind < Scalar(0.9)) continue;
targets[i] = inputs[i];
if (*kind < Scalar(0.8)) inputs[i] = mask;
if (*kind >= Scalar(0.9)) inputs[i] = words[std::size_t(*which * Scalar(words.size()))];
