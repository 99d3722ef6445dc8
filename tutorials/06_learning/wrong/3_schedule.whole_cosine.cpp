// rejected: at step
if (step < warmup) return rate * double(step + 1) / double(warmup + 1);
const double done = std::min(1.0, double(step - warmup) / double(decay - warmup));
return floor + (1 + std::cos(2 * std::numbers::pi * done)) / 2 * (rate - floor);
