#include "nn/generate/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "autograd/check.h"
#include "autograd/graph.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "nn/module.h"

namespace gradus {
using namespace detail;
namespace {

std::span<const Scalar> row(const Tensor& x, Index i) {
  const Index width = x.size(1);
  return {x.data() + i * width, static_cast<std::size_t>(width)};
}

/// The log-probabilities of the next token of each row, [N, V].
Tensor log_probabilities(const DecodingState& state) {
  const Tensor logits = state.logits();
  require_numbers("the logits of the next token", logits);
  return log_softmax(logits);
}

IndexTensor as_indices(const std::vector<std::int32_t>& values) {
  return IndexTensor({std::ssize(values)}, values);
}

/// Whether each row continues itself, so that no row has to be copied.
bool is_in_place(const IndexTensor& from, Index rows) {
  for (Index i = 0; i < from.size(); ++i) {
    if (from.data()[i] != i) {
      return false;
    }
  }
  return from.size() == rows;
}

/// Generates one sequence per row; `choose(row, logits, place)` returns its next token.
template <class Choose>
std::vector<Hypothesis> write_rows(DecodingState& state, const WriteLimits& limits, Choose choose) {
  Tensor log_p = log_probabilities(state);
  std::vector<Hypothesis> rows(static_cast<std::size_t>(log_p.size(0)));
  std::vector<std::int32_t> numbers(rows.size()), tokens(rows.size(), limits.end);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (Index place = 0; place < limits.max_tokens; ++place) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].complete) {
        continue;  // a row that has ended gets end tokens until all rows have ended
      }
      const std::span<const Scalar> logits = row(log_p, static_cast<Index>(i));
      tokens[i] = choose(static_cast<Index>(i), logits, place);
      rows[i].log_probability += logits[static_cast<std::size_t>(tokens[i])];
      rows[i].complete = tokens[i] == limits.end;
      if (!rows[i].complete) {
        rows[i].tokens.push_back(tokens[i]);
      }
    }
    if (place + 1 == limits.max_tokens || std::ranges::all_of(rows, &Hypothesis::complete)) {
      break;
    }
    state.advance(as_indices(numbers), as_indices(tokens));
    log_p = log_probabilities(state);
  }
  for (Hypothesis& hypothesis : rows) {
    hypothesis.score = hypothesis.log_probability;
  }
  return rows;
}

/// A token with which a hypothesis of the beam can be extended.
struct Step {
  std::int32_t from;
  std::int32_t token;
  double log_probability;
};

/// The most probable steps of all rows, most probable first. Among equal steps, the lower row and
/// token come first.
std::vector<Step> best_steps(const std::vector<Hypothesis>& beam, const Tensor& log_p,
                             std::size_t count) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < beam.size(); ++i) {
    const std::span<const Scalar> logits = row(log_p, static_cast<Index>(i));
    for (std::size_t v = 0; v < logits.size(); ++v) {
      steps.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(v),
                       beam[i].log_probability + logits[v]});
    }
  }
  const auto end = steps.begin() + std::min(std::ssize(steps), static_cast<Index>(count));
  std::ranges::partial_sort(steps, end, [](const Step& a, const Step& b) {
    return std::tuple(-a.log_probability, a.from, a.token) <
           std::tuple(-b.log_probability, b.from, b.token);
  });
  steps.erase(end, steps.end());
  return steps;
}

}  // namespace

std::vector<Hypothesis> greedy_search(DecodingState& state, const WriteLimits& limits) {
  return write_rows(state, limits, [](Index, std::span<const Scalar> logits, Index) {
    return static_cast<std::int32_t>(std::ranges::max_element(logits) - logits.begin());
  });
}

std::vector<Hypothesis> beam_search(DecodingState& state, const WriteLimits& limits, int width,
                                    double alpha) {
  check(width >= 1 && alpha >= 0,
        "beam_search: needs a width of at least 1 and alpha at least 0, got ", width, " and ",
        alpha);
  check(state.logits().size(0) == 1, "beam_search: needs a decoding state of one row, got ",
        state.logits().size(0));
  const auto scored = [&](Hypothesis h) {
    const double length = static_cast<double>(h.tokens.size()) + (h.complete ? 1 : 0);
    h.score = h.log_probability / std::pow((5 + length) / 6, alpha);
    return h;
  };
  std::vector<Hypothesis> beam(1), found;
  std::vector<std::int32_t> from;  // the row of the state for each hypothesis
  for (Index place = 0; place < limits.max_tokens && !beam.empty(); ++place) {
    if (place > 0) {
      std::vector<std::int32_t> tokens;
      std::ranges::transform(beam, std::back_inserter(tokens),
                             [](const Hypothesis& h) { return h.tokens.back(); });
      state.advance(as_indices(from), as_indices(tokens));
    }
    const std::size_t room = static_cast<std::size_t>(width) - found.size();
    std::vector<Hypothesis> next;
    from.clear();
    for (const Step& step : best_steps(beam, log_probabilities(state), room)) {
      Hypothesis h = beam[static_cast<std::size_t>(step.from)];
      h.log_probability = step.log_probability;
      if (step.token == limits.end) {
        h.complete = true;
        found.push_back(scored(h));
      } else {
        h.tokens.push_back(step.token);
        next.push_back(h);
        from.push_back(step.from);
      }
    }
    beam = std::move(next);
  }
  for (const Hypothesis& h : beam) {
    found.push_back(scored(h));
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Hypothesis::score);
  return found;
}

TransformerDecoding::TransformerDecoding(const Transformer& model, const IndexTensor& src,
                                         const IndexTensor& src_mask, std::int32_t begin)
    : model_(model) {
  const NoGrad no_grad;
  cache_ = model.decoder.begin(model.encode(src, src_mask), src_mask);
  IndexTensor first(Shape{src.size(0)});
  std::fill_n(first.mutable_data(), first.size(), begin);
  read(first);
}

void TransformerDecoding::advance(const IndexTensor& from, const IndexTensor& tokens) {
  if (!is_in_place(from, logits_.size(0))) {
    cache_ = cache_.of_rows(from);
  }
  read(tokens);
}

void TransformerDecoding::read(const IndexTensor& tokens) {
  const NoGrad no_grad;
  const Index rows = tokens.size();
  logits_ = reshape(model_.extend(tokens.reshape({rows, 1}), cache_), {rows, -1});
}

GptDecoding::GptDecoding(const Gpt& model, std::vector<std::int32_t> prompt)
    : reader_(model), rows_{std::move(prompt)} {
  check(!rows_[0].empty(), "the prompt is empty (give at least one token)");
  logits_ = reader_.read_on(rows_);
}

void GptDecoding::advance(const IndexTensor& from, const IndexTensor& tokens) {
  if (!is_in_place(from, reader_.batch_size())) {
    reader_ = reader_.of_rows(from);  // checks the rows
  }
  std::vector<std::vector<std::int32_t>> rows;
  for (Index i = 0; i < from.size(); ++i) {
    rows.push_back(rows_[static_cast<std::size_t>(from.data()[i])]);
    rows.back().push_back(tokens.data()[i]);
  }
  rows_ = std::move(rows);
  logits_ = reader_.read_on(rows_);
}

}  // namespace gradus
