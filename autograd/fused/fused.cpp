#include "autograd/fused/fused.h"

#include <utility>

namespace gradus {
namespace {

thread_local bool fused = true;

}  // namespace

bool uses_fused() { return fused; }

ComposedOps::ComposedOps() : before_(std::exchange(fused, false)) {}
ComposedOps::~ComposedOps() { fused = before_; }

}  // namespace gradus
