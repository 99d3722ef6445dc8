// rejected: a hypothesis that ends is not continued
std::ranges::stable_sort(next, std::greater(), &Hypothesis::score);
next.resize(std::min(next.size(), width - found.size()));
beam = next;
