#include "autograd/fused/fused.h"

#include <utility>

namespace gradus {
namespace {

thread_local bool takes_fused = true;

}  // namespace

bool uses_fused() { return takes_fused; }

ComposedOps::ComposedOps() : before_(std::exchange(takes_fused, false)) {}
ComposedOps::~ComposedOps() { takes_fused = before_; }

}  // namespace gradus
