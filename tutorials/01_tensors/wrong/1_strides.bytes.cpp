// rejected: counted in bytes
Strides strides(shape.rank(), sizeof(Scalar));
for (int axis = shape.rank() - 1; axis > 0; --axis) strides[axis - 1] = strides[axis] * shape[axis];
return strides;
