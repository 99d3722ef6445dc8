// rejected: the missing ones come first
Strides strides = strides_of(from);
for (int axis = 0; axis < from.rank(); ++axis) strides[axis] *= from[axis] != 1;
strides.resize(to.rank(), 0);
return strides;
