// rejected: nothing was rotated
return x;
