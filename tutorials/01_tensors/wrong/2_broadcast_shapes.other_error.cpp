// rejected: an error of another type
Shape shape = a.rank() < b.rank() ? b : a;
for (int axis = -1; axis >= -std::min(a.rank(), b.rank()); --axis) {
  if (a[axis] != b[axis] && a[axis] != 1 && b[axis] != 1) throw std::runtime_error("add: no");
  shape = shape.with(axis, a[axis] == 1 ? b[axis] : a[axis]);
}
return shape;
