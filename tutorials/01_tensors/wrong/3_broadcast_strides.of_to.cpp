// rejected: these are the strides of `to`
return strides_of(to);
