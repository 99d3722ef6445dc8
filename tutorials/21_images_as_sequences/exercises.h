/// @file
/// What the variations of chapter 21 ask for, on pocket.
#pragma once

#include "tutorials/pocket/vision.h"

using namespace pocket;

Tensor unpatchify(const Tensor& patches, Index height, Index width, Index patch);
Tensor overlapping_patches(const Tensor& images, Index patch, Index stride);
Tensor rollout(const VisionTransformer& model, const Tensor& images);
