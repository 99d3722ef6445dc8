// rejected: an int is too small for this product
Strides strides(shape.rank(), 1);
unsigned product = 1;
for (int axis = shape.rank() - 1; axis >= 0; --axis) {
  strides[axis] = product;
  product *= static_cast<unsigned>(shape[axis]);
}
return strides;
