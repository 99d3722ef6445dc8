// rejected: temperature 2, top_p 0.7
if (options.temperature == 0) return order[0];
if (options.top_k > 0 && options.top_k < std::ssize(order)) order.resize(options.top_k);
std::vector<double> weights;
for (const std::int32_t token : order) {
  weights.push_back(std::exp((logits[token] - logits[order[0]]) / options.temperature));
}
double total = 0, reached = 0, plain = 0;
for (const std::int32_t token : order) total += std::exp(logits[token] - logits[order[0]]);
std::size_t kept = 0;
while (kept < order.size() && plain < options.top_p * total) {
  plain += std::exp(logits[order[kept]] - logits[order[0]]);
  reached += weights[kept++];
}
double rest = draw * reached;
std::size_t i = 0;
while (i + 1 < kept && rest >= weights[i]) rest -= weights[i++];
return order[i];
