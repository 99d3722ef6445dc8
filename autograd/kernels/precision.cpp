// What scalar.h lets the linker look for. A program with both libraries has gradus_precision twice.
#include "autograd/scalar.h"

extern "C" {
extern const char gradus_precision = sizeof(gradus::Scalar);
}
namespace gradus {
const char GRADUS_BUILT = gradus_precision;
}
