// rejected: an axis that is missing gives way
Shape shape = a;
for (int axis = -1; axis >= -std::min(a.rank(), b.rank()); --axis) {
  check(a[axis] == b[axis] || a[axis] == 1 || b[axis] == 1, op, ": no");
  shape = shape.with(axis, a[axis] == 1 ? b[axis] : a[axis]);
}
return shape;
