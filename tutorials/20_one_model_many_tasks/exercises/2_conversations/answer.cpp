// All tokens of a row with a mark for each, shifted by one at the end.
#include "tutorials/20_one_model_many_tasks/exercises.h"

Batch conversations(const std::vector<std::vector<Turn>>& rows, std::int32_t end) {
  std::vector<Tokens> tokens, asked;  // asked: the token itself, or -100
  std::size_t length = 0;
  for (const std::vector<Turn>& row : rows) {
    Tokens &said = tokens.emplace_back(), &mine = asked.emplace_back();
    for (const Turn& turn : row) {
      for (const std::int32_t token : turn.tokens) {
        said.push_back(token), mine.push_back(turn.model ? token : -100);
      }
      if (turn.model) said.push_back(end), mine.push_back(end);
    }
    length = std::max(length, said.size() - 1);
  }
  Tokens inputs, targets;
  for (std::size_t b = 0; b < rows.size(); ++b) {
    for (std::size_t t = 0; t < length; ++t) {
      const bool real = t + 1 < tokens[b].size();
      inputs.push_back(real ? tokens[b][t] : end);
      targets.push_back(real ? asked[b][t + 1] : -100);
    }
  }
  const Shape shape{std::ssize(rows), Index(length)};
  return {IndexTensor(shape, inputs), IndexTensor(shape, targets)};
}
