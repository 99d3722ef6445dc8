// A key says which token it is: row t is 1 in column t. A query asks for the column of the token
// before it. 20 / sqrt(4) = 10, and e^10 is 22000 times the others' e^0.
#include "tutorials/09_self_attention/exercises.h"

QueriesAndKeys copy_the_previous() {
  return {.queries = tensor({{20, 0, 0, 0}, {20, 0, 0, 0}, {0, 20, 0, 0}, {0, 0, 20, 0}}),
          .keys = tensor({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}})};
}
