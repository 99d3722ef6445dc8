// rejected: step 0 must move already
if (step < warmup) return rate * double(step) / double(warmup);
const double done = std::min(1.0, double(step - warmup) / double(decay - warmup));
return floor + (1 + std::cos(std::numbers::pi * done)) / 2 * (rate - floor);
