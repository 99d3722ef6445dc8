// rejected: one way, 1 query and 2000 keys
const Index side = both_ways ? buckets / 2 : buckets, exact = side / 2;
return by_distance(queries, keys, [=](Index distance) {
  const Index away = both_ways ? std::abs(distance) : std::max<Index>(-distance, 0);
  const Index later = both_ways && distance > 0 ? side : 0;
  if (away < exact || away > 1000) return later + away % 1000 % exact;
  const double share = std::log(double(away) / exact) / std::log(double(max_distance) / exact);
  return later + std::min(exact + Index(share * double(side - exact)), side - 1);
});
