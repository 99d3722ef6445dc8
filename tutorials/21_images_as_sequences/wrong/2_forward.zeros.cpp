// rejected: zeros are in its place
const Tensor first = zeros({images.size(0), 1, config.layer.d_model});
const Tensor x = encoder(concat({first, embed(patchify(images, config.patch))}, 1));
return head(reshape(slice(x, 1, 0, 1), {images.size(0), -1}));
