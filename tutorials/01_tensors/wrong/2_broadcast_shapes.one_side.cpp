// rejected: either side may be repeated
for (int axis = -1; axis >= -std::min(a.rank(), b.rank()); --axis) {
  check(a[axis] == b[axis] || b[axis] == 1, op, ": no");
}
return a.rank() < b.rank() ? b : a;
