// rejected: after `decay` steps
if (step < warmup) return rate * double(step + 1) / double(warmup + 1);
const double done = double(step - warmup) / double(decay - warmup);
return floor + (1 + std::cos(std::numbers::pi * done)) / 2 * (rate - floor);
