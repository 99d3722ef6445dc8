// rejected: the size of the axis itself was multiplied in
Strides strides(shape.rank(), 1);
Index product = 1;
for (int axis = shape.rank() - 1; axis >= 0; --axis) strides[axis] = product *= shape[axis];
return strides;
