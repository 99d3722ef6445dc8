// rejected: the search goes on
std::ranges::stable_sort(next, std::greater(), &Hypothesis::score);
next.resize(std::min(next.size(), width - found.size()));
beam.clear();
for (const Hypothesis& h : next) (h.tokens.back() == limits.end ? found : beam).push_back(h);
if (!found.empty()) beam.clear();
