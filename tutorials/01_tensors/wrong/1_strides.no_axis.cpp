// rejected: the program was ended by SIG
Strides strides(shape.rank());
strides.back() = 1;
for (int axis = shape.rank() - 1; axis > 0; --axis) strides[axis - 1] = strides[axis] * shape[axis];
return strides;
