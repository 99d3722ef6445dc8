// rejected: the pixels of each patch are transposed
const Index b = images.size(0), down = images.size(1) / patch, across = images.size(2) / patch;
const Tensor grid = reshape(images, {b, down, patch, across, patch});
return reshape(permute(grid, {0, 1, 3, 4, 2}), {b, down* across, patch* patch});
