// rejected: later keys have the second half
const Index side = both_ways ? buckets / 2 : buckets, exact = side / 2;
return by_distance(queries, keys, [=](Index distance) {
  const Index away = both_ways ? std::abs(distance) : std::max<Index>(-distance, 0);
  if (away < exact) return away;
  const double share = std::log(double(away) / exact) / std::log(double(max_distance) / exact);
  return std::min(exact + Index(share * double(side - exact)), side - 1);
});
