// rejected: a complete hypothesis narrows the beam
std::ranges::stable_sort(next, std::greater(), &Hypothesis::score);
next.resize(std::min<std::size_t>(next.size(), width));
beam.clear();
for (const Hypothesis& h : next) (h.tokens.back() == limits.end ? found : beam).push_back(h);
