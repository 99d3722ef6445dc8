/// @file
/// All of the engine: tensors, gradients, every op, and what looks into them.
///
/// nn.h has modules, models and training on top of it. Compiling is quicker with the few headers
/// that a file needs.
#pragma once

#include "autograd/fused/cached_attention.h"
#include "autograd/fused/fused.h"
#include "autograd/fused/rope.h"
#include "autograd/fused/token_shift.h"
#include "autograd/graph.h"
#include "autograd/index_tensor.h"
#include "autograd/inspect/draw.h"
#include "autograd/inspect/gradcheck.h"
#include "autograd/inspect/profile.h"
#include "autograd/kernels/parallel_for.h"
#include "autograd/more/activation.h"
#include "autograd/more/functions.h"
#include "autograd/more/heads.h"
#include "autograd/more/packed_attention.h"
#include "autograd/more/random.h"
#include "autograd/more/reductions.h"
#include "autograd/more/selection.h"
#include "autograd/more/views.h"
#include "autograd/ops/attention.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/tensor.h"
