// rejected: their number grows with the logarithm
const Index side = both_ways ? buckets / 2 : buckets;
return by_distance(queries, keys, [=](Index distance) {
  const Index away = both_ways ? std::abs(distance) : std::max<Index>(-distance, 0);
  return std::min(away, side - 1);
});
