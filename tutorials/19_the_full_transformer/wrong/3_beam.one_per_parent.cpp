// rejected: two hypotheses may have the same beginning
std::vector<Hypothesis> best;
const std::size_t vocab = next.size() / beam.size();
for (std::size_t i = 0; i < next.size(); i += vocab) {
  std::ranges::stable_sort(next.begin() + i, next.begin() + i + vocab, std::greater(),
                           &Hypothesis::score);
  for (std::size_t k = 0; k < (length == 1 ? std::size_t(width) : 1); ++k)
    best.push_back(next[i + k]);
}
next = best;
std::ranges::stable_sort(next, std::greater(), &Hypothesis::score);
next.resize(std::min(next.size(), width - found.size()));
beam.clear();
for (const Hypothesis& h : next) (h.tokens.back() == limits.end ? found : beam).push_back(h);
