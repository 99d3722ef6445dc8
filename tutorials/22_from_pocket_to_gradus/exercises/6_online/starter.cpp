// Exercise 22.6: A softmax that never sees its whole row
//
// Blocks of scores [S] and of values [S, E] arrive one after the other, and are gone afterwards.
// result() is softmax(all scores so far) times their values, [E], and does not end the stream:
// more blocks may follow. A score of -inf is hidden; if all are, the result is zeros.
//
// exercises.h declares this:
//
//   struct OnlineSoftmax {
//     void add(const Tensor& scores, const Tensor& values);  // the next block: [S] and [S, E]
//     Tensor result() const;                // softmax(all scores so far) times their values: [E]
//     Scalar largest = -INFINITY, sum = 0;  // of the scores; of all e^(score - largest)
//     Tensor mixed = {};                    // the sum of all e^(score - largest) value: [E]
//   };
#include "tutorials/22_from_pocket_to_gradus/exercises.h"

void OnlineSoftmax::add(const Tensor& scores, const Tensor& values) {}

Tensor OnlineSoftmax::result() const { return {}; }
