// rejected: does not begin with the op, "div: "
Shape shape = a.rank() < b.rank() ? b : a;
for (int axis = -1; axis >= -std::min(a.rank(), b.rank()); --axis) {
  check(a[axis] == b[axis] || a[axis] == 1 || b[axis] == 1, "add: ", a, " does not fit ", b);
  shape = shape.with(axis, a[axis] == 1 ? b[axis] : a[axis]);
}
return shape;
