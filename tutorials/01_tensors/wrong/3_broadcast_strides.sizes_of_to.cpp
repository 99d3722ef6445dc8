// rejected: 0 where an axis is repeated
Strides strides = strides_of(to);
for (int axis = -1; axis >= -to.rank(); --axis) {
  if (axis < -from.rank() || from[axis] == 1) strides[to.rank() + axis] = 0;
}
return strides;
