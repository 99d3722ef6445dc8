// rejected: name all five sizes
const Index down = images.size(1) / patch, across = images.size(2) / patch;
const Tensor grid = reshape(images, {-1, down, patch, across, patch});
return reshape(permute(grid, {0, 1, 3, 2, 4}), {-1, down* across, patch* patch});
