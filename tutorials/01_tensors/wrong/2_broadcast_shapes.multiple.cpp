// rejected: nothing is repeated a few times to fit
Shape shape = a.rank() < b.rank() ? b : a;
for (int axis = -1; axis >= -std::min(a.rank(), b.rank()); --axis) {
  const Index more = std::max(a[axis], b[axis]), less = std::min(a[axis], b[axis]);
  check(less == more || (less > 0 && more % less == 0), op, ": no");
  shape = shape.with(axis, more);
}
return shape;
