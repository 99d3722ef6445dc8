#include "nn/tasks/gpt_task.h"

#include <doctest/doctest.h>

#include "autograd/graph.h"
#include "tests/nn/tiny_run.h"

using namespace gradus;

TEST_CASE("gpt task: a second loss leaves the graph of the first as it is") {
  TinyRun run;
  Gpt model(run.config);
  GptTask task(model, run.corpus, run.tokenizer);
  const RandomKey first{1, 0, 0}, second{1, 0, 1};
  const auto gradients = [&](bool both) {
    const Tensor loss = task.loss(Split::kTrain, 3, first);
    const Tensor other = both ? task.loss(Split::kTrain, 3, second) : Tensor();
    backward(loss);
    std::vector<NamedTensor> all;
    for (NamedTensor& named : task.parameters()) {
      all.push_back({named.name, named.tensor.grad()});
      named.tensor.zero_grad();
    }
    return all_values(all);
  };
  CHECK(gradients(true) == gradients(false));
}
