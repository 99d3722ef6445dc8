// rejected: the class token comes first
const Tensor token = class_token + zeros({images.size(0), 1, 1});
const Tensor x = encoder(concat({embed(patchify(images, config.patch)), token}, 1));
return head(reshape(slice(x, 1, -1), {images.size(0), -1}));
