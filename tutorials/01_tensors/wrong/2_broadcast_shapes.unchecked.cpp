// rejected: accepts sizes that differ and are not 1
Shape shape = a.rank() < b.rank() ? b : a;
for (int axis = -1; axis >= -std::min(a.rank(), b.rank()); --axis) {
  shape = shape.with(axis, a[axis] == 1 ? b[axis] : a[axis]);
}
return shape;
