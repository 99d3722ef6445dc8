// rejected: after warm-up the cosine begins at rate
if (step < warmup) return rate * double(step + 1) / double(warmup + 1);
const double done = std::min(1.0, double(step) / double(decay));
return floor + (1 + std::cos(std::numbers::pi * done)) / 2 * (rate - floor);
