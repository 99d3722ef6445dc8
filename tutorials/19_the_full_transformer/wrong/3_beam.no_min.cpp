// rejected: SIG
std::ranges::stable_sort(next, std::greater(), &Hypothesis::score);
next.resize(width - found.size());
beam.clear();
for (const Hypothesis& h : next) (h.tokens.back() == limits.end ? found : beam).push_back(h);
