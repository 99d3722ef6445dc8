// rejected: 2 images of 4 x 6
const Index b = images.size(0), n = images.size(1) / patch * (images.size(2) / patch);
return reshape(permute(images, {0, 2, 1}), {b, n, patch* patch});
