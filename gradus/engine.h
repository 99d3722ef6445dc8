/// @file
/// Includes the whole engine: tensors, gradients, every op, and the tools that inspect them.
///
/// nn.h adds modules, models and training. Files that include only the headers that they need
/// compile faster.
#pragma once

#include "autograd/graph.h"
#include "autograd/index_tensor.h"
#include "autograd/inspect/draw.h"
#include "autograd/inspect/gradcheck.h"
#include "autograd/inspect/profile.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cached_attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/heads.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/narrow.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/rotary.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/token_shift.h"
#include "autograd/ops/two_paths.h"
#include "autograd/ops/views.h"
#include "autograd/tensor.h"
