// Defines the symbol that scalar.h makes the linker look for. In a program with both libraries,
// gradus_precision is defined twice, which is an error.
#include "autograd/scalar.h"

extern "C" {
extern const char gradus_precision = sizeof(gradus::Scalar);
}
namespace gradus {
const char GRADUS_BUILT = gradus_precision;
}
