// A key says which token it is: row t has a large number in column t. A query asks for the column
// of the token before. 20 / sqrt(4) = 10 lies e^10 above the others' 0.
#include "tutorials/09_self_attention/exercises.h"

QueriesAndKeys copy_the_previous() {
  return {.queries = tensor({{20, 0, 0, 0}, {20, 0, 0, 0}, {0, 20, 0, 0}, {0, 0, 20, 0}}),
          .keys = tensor({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}})};
}
