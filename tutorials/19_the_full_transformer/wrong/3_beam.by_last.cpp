// rejected: not by its last token
std::ranges::stable_sort(next, std::greater(), [&](const Hypothesis& h) {
  for (const Hypothesis& before : beam) {
    if (std::equal(before.tokens.begin(), before.tokens.end(), h.tokens.begin())) {
      return h.log_probability - before.log_probability;
    }
  }
  return h.score;
});
next.resize(std::min(next.size(), width - found.size()));
beam.clear();
for (const Hypothesis& h : next) (h.tokens.back() == limits.end ? found : beam).push_back(h);
