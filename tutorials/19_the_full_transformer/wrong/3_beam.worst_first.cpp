// rejected: is the order best first?
std::ranges::stable_sort(next, std::less(), &Hypothesis::score);
next.resize(std::min(next.size(), width - found.size()));
beam.clear();
for (const Hypothesis& h : next) (h.tokens.back() == limits.end ? found : beam).push_back(h);
