// rejected: the library says
const Tensor first = reshape(class_token, {1, 1, -1});
const Tensor x = encoder(concat({first, embed(patchify(images, config.patch))}, 1));
return head(reshape(slice(x, 1, 0, 1), {images.size(0), -1}));
