// rejected: name all five sizes
const Index b = images.size(0), down = images.size(1) / patch;
const Tensor grid = reshape(images, {b, down, patch, -1, patch});
return reshape(permute(grid, {0, 1, 3, 2, 4}), {b, -1, patch* patch});
