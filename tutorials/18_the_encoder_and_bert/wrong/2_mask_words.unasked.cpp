// rejected: what is not asked stays as it was
const Scalar *asked = draws.data() + 3 * i, *kind = asked + 1, *which = asked + 2;
const bool is_word = std::count(words.begin(), words.end(), inputs[i]) > 0;
if (is_word && *asked < Scalar(0.15)) targets[i] = inputs[i];
if (is_word && *kind < Scalar(0.8) * Scalar(0.15)) inputs[i] = mask;
if (targets[i] >= 0 && *kind >= Scalar(0.9)) {
  inputs[i] = words[std::size_t(*which * Scalar(words.size()))];
}
