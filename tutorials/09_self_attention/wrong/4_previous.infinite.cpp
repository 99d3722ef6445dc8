// rejected: your weights: got
#include "tutorials/09_self_attention/exercises.h"

QueriesAndKeys copy_the_previous() {
  return {
      .queries = tensor({{1e20f, 0, 0, 0}, {1e20f, 0, 0, 0}, {0, 1e20f, 0, 0}, {0, 0, 1e20f, 0}}),
      .keys = tensor({{1e20f, 0, 0, 0}, {0, 1e20f, 0, 0}, {0, 0, 1e20f, 0}, {0, 0, 0, 1e20f}})};
}
