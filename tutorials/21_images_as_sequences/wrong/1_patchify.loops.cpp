// rejected: the gradient is cut
const Index b = images.size(0), height = images.size(1), width = images.size(2);
check(height % patch == 0 && width % patch == 0, "patchify: does not divide");
const Index across = width / patch, n = height / patch * across;
Tensor y({b, n, patch* patch});
for (Index i = 0; i < images.size(); ++i) {
  const Index image = i / (height * width), row = i / width % height, column = i % width;
  const Index at = (image * n + row / patch * across + column / patch) * patch * patch;
  y.mutable_data()[at + row % patch * patch + column % patch] = images.data()[i];
}
return y;
