// rejected: you read the first patch
const Index b = images.size(0);
const Tensor patches = embed(patchify(images, config.patch));
const Tensor first = class_token + zeros({b, 1, 1});
const Tensor x = encoder(concat({first, patches}, 1));
return head(reshape(slice(x, 1, 1, 2), {b, -1}));
