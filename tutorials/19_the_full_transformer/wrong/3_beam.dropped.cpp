// rejected: are complete hypotheses kept in found?
std::ranges::stable_sort(next, std::greater(), &Hypothesis::score);
next.resize(std::min(next.size(), width - found.size()));
beam.clear();
for (const Hypothesis& h : next) {
  if (h.tokens.back() != limits.end) beam.push_back(h);
}
