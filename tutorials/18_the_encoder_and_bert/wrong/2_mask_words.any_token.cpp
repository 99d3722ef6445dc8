// rejected: is never asked
const Scalar *asked = draws.data() + 3 * i, *kind = asked + 1, *which = asked + 2;
if (*asked >= Scalar(0.15)) continue;
targets[i] = inputs[i];
if (*kind < Scalar(0.8)) inputs[i] = mask;
if (*kind >= Scalar(0.9)) inputs[i] = words[std::size_t(*which * Scalar(words.size()))];
