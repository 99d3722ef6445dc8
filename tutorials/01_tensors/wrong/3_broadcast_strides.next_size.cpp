// rejected: the product of all later sizes
Strides strides(to.rank(), 0);
for (int axis = -1; axis >= -from.rank(); --axis) {
  if (from[axis] != 1) strides[to.rank() + axis] = axis == -1 ? 1 : from[axis + 1];
}
return strides;
