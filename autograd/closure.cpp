#include "autograd/closure.h"

#include "autograd/check.h"

namespace gradus {

void detail::fail_changed(const Shape& shape) {
  fail("backward: ", running_op != nullptr ? running_op : "an op", " saved a tensor of shape ",
       shape,
       " that has changed since then (change the tensor after backward(), or give the op a "
       "clone())");
}

}  // namespace gradus
