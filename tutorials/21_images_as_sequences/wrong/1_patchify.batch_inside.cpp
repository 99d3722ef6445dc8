// rejected: 2 images of 4 x 6
const Index b = images.size(0), down = images.size(1) / patch, across = images.size(2) / patch;
const Tensor grid = reshape(images, {b, down, patch, across, patch});
return reshape(permute(grid, {1, 3, 0, 2, 4}), {b, down* across, patch* patch});
