// rejected: only the last four axes are compared
Shape shape = a.rank() < b.rank() ? b : a;
for (int axis = -1; axis >= -std::min({a.rank(), b.rank(), 4}); --axis) {
  check(a[axis] == b[axis] || a[axis] == 1 || b[axis] == 1, op, ": no");
  shape = shape.with(axis, a[axis] == 1 ? b[axis] : a[axis]);
}
return shape;
