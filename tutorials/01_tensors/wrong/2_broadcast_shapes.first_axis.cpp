// rejected: shapes are aligned at the last axis
Shape shape = a.rank() < b.rank() ? b : a;
for (int axis = 0; axis < std::min(a.rank(), b.rank()); ++axis) {
  check(a[axis] == b[axis] || a[axis] == 1 || b[axis] == 1, op, ": no");
  shape = shape.with(axis, a[axis] == 1 ? b[axis] : a[axis]);
}
return shape;
