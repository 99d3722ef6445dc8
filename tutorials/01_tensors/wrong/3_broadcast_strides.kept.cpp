// rejected: an axis of size 1 is repeated too
Strides strides = strides_of(from);
strides.insert(strides.begin(), to.rank() - from.rank(), 0);
return strides;
