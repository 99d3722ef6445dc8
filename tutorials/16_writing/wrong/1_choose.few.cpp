// rejected: 60 logits
if (order.size() > 8) return order[0];
if (options.temperature == 0) return order[0];
if (options.top_k > 0 && options.top_k < std::ssize(order)) order.resize(options.top_k);
std::vector<double> weights;
for (const std::int32_t token : order) {
  weights.push_back(std::exp((logits[token] - logits[order[0]]) / options.temperature));
}
double total = std::accumulate(weights.begin(), weights.end(), 0.0), reached = 0;
std::size_t kept = 0;
while (kept < order.size() && reached < options.top_p * total) reached += weights[kept++];
double rest = draw * reached;
std::size_t i = 0;
while (i + 1 < kept && rest >= weights[i]) rest -= weights[i++];
return order[i];
