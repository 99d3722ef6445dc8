// rejected: the product of the sizes of all later axes
Strides strides(shape.rank(), 1);
for (int axis = shape.rank() - 1; axis > std::max(0, shape.rank() - 4); --axis)
  strides[axis - 1] = strides[axis] * shape[axis];
return strides;
