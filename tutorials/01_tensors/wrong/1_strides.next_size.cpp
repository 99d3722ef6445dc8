// rejected: not the next size alone
Strides strides(shape.rank(), 1);
for (int axis = shape.rank() - 1; axis > 0; --axis) strides[axis - 1] = shape[axis];
return strides;
