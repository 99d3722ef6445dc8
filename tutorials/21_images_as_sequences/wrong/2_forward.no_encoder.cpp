// rejected: the encoder is missing
const Tensor first = class_token + zeros({images.size(0), 1, 1});
const Tensor x = concat({first, embed(patchify(images, config.patch))}, 1);
return head(reshape(slice(x, 1, 0, 1), {images.size(0), -1}));
