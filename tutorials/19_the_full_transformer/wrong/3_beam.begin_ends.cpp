// rejected: a hypothesis that ends is not continued
std::ranges::stable_sort(next, std::greater(), &Hypothesis::score);
next.resize(std::min(next.size(), width - found.size()));
beam.clear();
for (const Hypothesis& h : next) (h.tokens.back() == limits.begin ? found : beam).push_back(h);
