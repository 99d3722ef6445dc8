// rejected: each token copies the one after it
#include "tutorials/09_self_attention/exercises.h"

QueriesAndKeys copy_the_previous() {
  return {.queries = tensor({{0, 20, 0, 0}, {0, 0, 20, 0}, {0, 0, 0, 20}, {0, 0, 0, 20}}),
          .keys = tensor({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}})};
}
