// rejected: the last bucket of their side
const Index side = both_ways ? buckets / 2 : buckets, exact = side / 2;
return by_distance(queries, keys, [=](Index distance) {
  const Index away = both_ways ? std::abs(distance) : std::max<Index>(-distance, 0);
  const Index later = both_ways && distance > 0 ? side : 0;
  if (away < exact) return later + away;
  const double share = std::log(double(away) / exact) / std::log(double(max_distance) / exact);
  return later + std::min(exact + Index(share * double(side - exact)), buckets - 1);
});
