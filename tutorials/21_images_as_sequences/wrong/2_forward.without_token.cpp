// rejected: three images, six patches
const Tensor x = encoder(embed(patchify(images, config.patch)));
return head(reshape(slice(x, 1, 0, 1), {images.size(0), -1}));
