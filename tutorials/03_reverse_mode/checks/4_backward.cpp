#include "tutorials/03_reverse_mode/checks/random_graph.h"
#include "tutorials/common/check.h"

using namespace gradus;

namespace {

using Doubles = std::vector<double>;

double& at(Doubles& x, int i) { return x.at(static_cast<std::size_t>(i)); }

Tensor flat(const Doubles& x) {
  Tensor out({std::ssize(x)});
  for (Index i = 0; i < out.size(); ++i) {
    out.mutable_data()[i] = static_cast<Scalar>(x[static_cast<std::size_t>(i)]);
  }
  return out;
}

Doubles seeded(const Graph& graph, int result) {
  Doubles gradients(static_cast<std::size_t>(graph.size()));
  at(gradients, result) = 1;
  return gradients;
}

/// From the other end, for an oracle that shares nothing with the answer: the slope of the result
/// by one node, as the sum over what it uses.
double slope(const Graph& graph, int result, int node, Doubles& known, std::vector<bool>& done) {
  if (result == node) return 1;
  const auto place = static_cast<std::size_t>(result);
  if (done[place]) return known[place];
  double sum = 0;
  for (const auto& [input, s] : graph.edges(result)) {
    sum += s * slope(graph, input, node, known, done);
  }
  done[place] = true;
  return known[place] = sum;
}

Doubles oracle(const Graph& graph, int result) {
  Doubles gradients;
  for (int node = 0; node < graph.size(); ++node) {
    Doubles known(static_cast<std::size_t>(graph.size()));
    std::vector<bool> done(known.size());
    gradients.push_back(slope(graph, result, node, known, done));
  }
  return gradients;
}

// What the usual mistakes give.

Doubles at_once(const Graph& graph, int result) {
  Doubles gradients = seeded(graph, result);
  for (const int node : met(graph, result)) {
    for (const auto& [input, s] : graph.edges(node))
      at(gradients, input) += at(gradients, node) * s;
  }
  return gradients;
}

void again(const Graph& graph, int node, Doubles& gradients) {
  for (const auto& [input, s] : graph.edges(node)) {
    at(gradients, input) += at(gradients, node) * s;
    again(graph, input, gradients);
  }
}

Doubles by_number(const Graph& graph, int result) {
  Doubles gradients = seeded(graph, result);
  for (int node = graph.size() - 1; node >= 0; --node) {
    for (const auto& [input, s] : graph.edges(node)) {
      at(gradients, input) += at(gradients, node) * s;
    }
  }
  return gradients;
}

Doubles slopes_alone(const Graph& graph, int result) {
  Doubles gradients = seeded(graph, result);
  for (const int node : met(graph, result)) {
    for (const auto& [input, s] : graph.edges(node)) at(gradients, input) += s;
  }
  return gradients;
}

/// For graphs in which each node is numbered above its inputs.
Doubles assigned(const Graph& graph, int result) {
  Doubles gradients = seeded(graph, result);
  for (int node = result; node >= 0; --node) {
    for (const auto& [input, s] : graph.edges(node)) at(gradients, input) = at(gradients, node) * s;
  }
  return gradients;
}

}  // namespace

int main() {
  return run_check([] {
    const Graph graph = diamond();
    Doubles twice = seeded(graph, 4);
    again(graph, 4, twice);
    expect("the chapter's graph: the slopes of y by a, b, s, t and y", flat(my_gradients(graph, 4)),
           flat(oracle(graph, 4)),
           {{flat(assigned(graph, 4)), "= stands where += must: s and b get two shares each"},
            {flat(at_once(graph, 4)),
             "a node's gradient was handed on before all of it had arrived: s must wait for t"},
            {flat(slopes_alone(graph, 4)),
             "the slope alone was handed on, and not the node's gradient times the slope"},
            {flat(twice), "what had arrived was handed on again with the next share"},
            {zeros({5}), "the result's own gradient is 1"}});
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const Graph random = random_graph(seed, 5 + static_cast<int>(seed % 8));
      const int result = static_cast<int>(seed % 3);
      const Tensor got = flat(my_gradients(random, result)),
                   expected = flat(oracle(random, result));
      if (!is_close(got, expected)) {
        expect("a random graph, result is node " + std::to_string(result), got, expected,
               {{flat(at_once(random, result)),
                 "a node's gradient was handed on before all of it had arrived"},
                {flat(by_number(random, result)),
                 "the nodes were taken by their numbers, which say nothing about their order"}});
      }
    }
    green("200 random graphs, numbered at random");
    try {
      expect("a tower of 40 sums p/2 + p/2, with 2^40 ways through it",
             flat(my_gradients(tower(40), 40)), ones({41}));
    } catch (const std::runtime_error& error) {
      red(std::string("a tower of 40 sums p/2 + p/2: ") + error.what());
    }
  });
}
