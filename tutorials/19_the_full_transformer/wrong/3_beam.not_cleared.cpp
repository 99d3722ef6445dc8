// rejected: beam.clear()
std::ranges::stable_sort(next, std::greater(), &Hypothesis::score);
next.resize(std::min(next.size(), width - found.size()));
for (const Hypothesis& h : next) (h.tokens.back() == limits.end ? found : beam).push_back(h);
