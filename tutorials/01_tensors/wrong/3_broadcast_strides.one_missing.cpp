// rejected: one stride for each axis of the shape `to`
if (from.rank() == 0) return Strides(to.rank(), 0);
Strides strides = strides_of(from);
for (int axis = 0; axis < from.rank(); ++axis) strides[axis] *= from[axis] != 1;
strides.insert(strides.begin(), std::min(1, to.rank() - from.rank()), 0);
return strides;
