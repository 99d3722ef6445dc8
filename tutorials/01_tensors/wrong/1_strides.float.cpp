// rejected: a float too coarse
Strides strides(shape.rank(), 1);
float step = 1;
for (int axis = shape.rank() - 1; axis >= 0; --axis) {
  strides[axis] = static_cast<Index>(step);
  step *= static_cast<float>(shape[axis]);
}
return strides;
