// rejected: 2 images of 4 x 6
const Index b = images.size(0), down = images.size(1) / patch, across = images.size(2) / patch;
const Tensor grid = reshape(images, {b, patch, down, patch, across});
return reshape(permute(grid, {0, 2, 4, 1, 3}), {b, down* across, patch* patch});
