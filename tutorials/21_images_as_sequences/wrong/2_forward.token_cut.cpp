// rejected: the gradient of class_token
const Tensor first = class_token.detach() + zeros({images.size(0), 1, 1});
const Tensor x = encoder(concat({first, embed(patchify(images, config.patch))}, 1));
return head(reshape(slice(x, 1, 0, 1), {images.size(0), -1}));
