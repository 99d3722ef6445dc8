// rejected: is the order best first?
next.resize(std::min(next.size(), width - found.size()));
beam.clear();
for (const Hypothesis& h : next) (h.tokens.back() == limits.end ? found : beam).push_back(h);
