// rejected: attends to the right token, but not sharply enough
#include "tutorials/09_self_attention/exercises.h"

QueriesAndKeys copy_the_previous() {
  return {.queries = tensor({{4, 0, 0, 0}, {4, 0, 0, 0}, {0, 4, 0, 0}, {0, 0, 4, 0}}),
          .keys = tensor({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}})};
}
