// rejected: a size of 1 gives way to the other size
Shape shape = a.rank() < b.rank() ? b : a;
for (int axis = -1; axis >= -std::min(a.rank(), b.rank()); --axis) {
  check(a[axis] == b[axis] || a[axis] == 1 || b[axis] == 1, op, ": no");
  shape = shape.with(axis, b[axis]);
}
return shape;
