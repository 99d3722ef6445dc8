// rejected: the strides are in reverse order
Strides strides;
Index product = 1;
for (int axis = shape.rank() - 1; axis >= 0; --axis) {
  strides.push_back(product);
  product *= shape[axis];
}
return strides;
