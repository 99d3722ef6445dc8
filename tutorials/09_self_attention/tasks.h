/// @file
/// The sentences that chapter 09 trains on.
#pragma once

#include "pocket/attention.h"

namespace pocket {

inline const char* const kOurs = "Hello I love you";

// Greeting, subject, verb, object. Tokens 0 to 3 are greetings, 4 to 7 subjects, 8 to 11 verbs,
// 12 to 15 objects. The first of each make "Hello I love you", which is kept for the test.
struct Sentences {
  Sentences(Index count, const RandomKey& key) {
    Tokens all, questions;
    for (Index i = 0; i < count; ++i) {
      Index w[4];
      for (int role = 0; role < 4; ++role) w[role] = 4 * role + uniform_index(key, 4 * i + role, 4);
      if (w[0] + w[1] + w[2] + w[3] == 0 + 4 + 8 + 12) w[0] = 1;
      const Index partner[4] = {w[1], w[2], w[1], w[0]};
      all.insert(all.end(), w, w + 4);
      questions.insert(questions.end(), partner, partner + 4);
    }
    words = IndexTensor({count, 4}, all), partners = IndexTensor({count, 4}, questions);
  }
  IndexTensor words, partners;  // [count, 4] each
};

}  // namespace pocket
