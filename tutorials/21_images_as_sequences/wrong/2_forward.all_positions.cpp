// rejected: shape: got
const Tensor first = class_token + zeros({images.size(0), 1, 1});
const Tensor x = encoder(concat({first, embed(patchify(images, config.patch))}, 1));
return head(x);
