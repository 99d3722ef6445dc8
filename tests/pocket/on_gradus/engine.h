/// @file
/// Replaces pocket's engine with gradus's: use `g++ -include on_gradus/engine.h` to compile
/// pocket's models. It has the ops of pocket's engine and no others: functions that attention.h and
/// position.h define, such as split_heads(), must not be defined twice.
#ifndef POCKET_ENGINE
#define POCKET_ENGINE

// The namespace that the models will be in, so that both engines fit into one program.
#define pocket on_gradus

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/index_tensor.h"
#include "autograd/ops/activation.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/index.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/norm.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/selection.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/tensor.h"

namespace pocket {
using namespace gradus;
using namespace gradus::detail;  // check()
}  // namespace pocket

#endif
