// rejected: the first axis is taken for the one whose neighbours touch
Strides strides(shape.rank(), 1);
for (int axis = 1; axis < shape.rank(); ++axis) strides[axis] = strides[axis - 1] * shape[axis - 1];
return strides;
