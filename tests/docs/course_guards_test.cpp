// Tests the guards in the exercises' checks: each accepts a right answer and ends the program for a
// wrong one.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/functions.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "tutorials/common/check.h"
#include "tutorials/common/compare_in_training.h"
#include "tutorials/common/count_new.h"
#include "tutorials/common/guards.h"

namespace {

using namespace gradus;

int failed = 0;

/// A tensor of the reader, whose copies share the numbers, as the library's do.
struct Own {
  std::vector<Index> sizes;
  std::shared_ptr<std::vector<Scalar>> numbers;
  bool defined() const { return numbers != nullptr; }
  const std::vector<Index>& shape() const { return sizes; }
  const Scalar* begin() const { return numbers->data(); }
  const Scalar* end() const { return begin() + numbers->size(); }
};
/// Runs a check in a separate process. Returns whether it succeeds, and its output.
std::pair<bool, std::string> outcome(const std::function<void()>& check) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    run_check(check);
    std::cout.flush();
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  char buffer[256];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    said.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return {status == 0, said};
}

void verdict(const std::string& what, bool holds, const std::string& said) {
  failed += !holds;
  std::cout << (holds ? "ok   " : "FAIL ") << what << (holds ? "" : "\n" + said) << "\n";
}

void passes(const std::string& what, const std::function<void()>& check) {
  const auto [well, said] = outcome(check);
  verdict(what + " passes", well && said.find("RED") == std::string::npos, said);
}

void rejects(const std::string& what, const std::string& words,
             const std::function<void()>& check) {
  const auto [well, said] = outcome(check);
  verdict(what + " is rejected",
          !well && said.find("RED") != std::string::npos && said.find(words) != std::string::npos,
          said);
}

}  // namespace

int main() {
  const Tensor x = tensor({{1, 2}, {3, 4}});

  rejects("what is not written yet", "RED    exercise 01.1: strides",
          [] { throw std::logic_error("exercise 01.1: strides"); });
  rejects("an error of the library", "RED    the library says: reshape: the number of elements",
          [&] { reshape(x, {3}); });
  const auto overwrite = [](const Scalar* p) { *const_cast<Scalar*>(p) = 9; };

  const auto throws = [&] { reshape(x, {3}); };
  passes("a list of numbers, and what is refused", [&] {
    if (listed(std::vector{1, 2, 3}) != "[1 2 3]") red(listed(std::vector{1, 2, 3}));
    const std::string many = listed(std::vector(25, 7));
    if (!many.ends_with(" 7 ... 25 in all]") || std::ranges::count(many, '7') != 24) red(many);
    if (!refusal(throws).value_or("").starts_with("reshape: ")) red("no refusal");
    if (refusal([] {})) red("a refusal without an error");
  });
  rejects("a part that is not written, where an error is expected", "RED    exercise 01.1",
          [] { (void)refusal([] { throw std::logic_error("exercise 01.1: strides"); }); });

  passes("what is finite", [&] { must_be_finite("x", x); });
  rejects("a NaN", "got nan at offset 1", [&] {
    must_be_finite("x", tensor({1, std::nan("")}), "0 / 0");
  });
  rejects("an infinity", "likely cause: an exponential",
          [&] { must_be_finite("x", exp(x * 1000), "an exponential"); });
  rejects("a NaN where numbers were compared", "got nan",
          [&] { expect("x", tensor({std::nan("")}), tensor({1})); });

  passes("a function that leaves x alone",
         [&] { unchanged<Tensor>("f", {x}, [&] { return x * 2; }); });
  rejects("a function that writes into x", "argument 2 has changed", [&] {
    unchanged<Tensor>("f", {tensor({1}), x}, [&] {
      overwrite(x.data());
      return x;
    });
  });
  const Own own{{2}, std::make_shared<std::vector<Scalar>>(2, Scalar(1))};
  rejects("one that writes into the reader's own tensor", "argument 1 has changed", [&] {
    unchanged<Own>("f", {own}, [&] {
      overwrite(own.begin());
      return own;
    });
  });
  passes("the reader's own tensor, compared", [&] { expect("own", as_library(own), ones({2})); });
  rejects("another one", "shape: got [2], expected [3]",
          [&] { expect("own", as_library(own), ones({3})); });
  rejects("one that was never set", "got nothing",
          [&] { expect("own", as_library(Own()), ones({3})); });

  passes("work without memory", [&] { no_memory("f", [&] { overwrite(x.data()); }); });
  rejects("a tensor where no memory may be taken", "memory was taken by a tensor",
          [&] { no_memory("f", [&] { x.clone(); }); });
  rejects("a vector", "memory was taken by operator new, 400 bytes at once",
          [&] { no_memory("f", [&] { const std::vector<Scalar> copy(100, x.data()[0]); }); });
  passes("a small vector where some may be", [&] {
    no_memory(
        "f", [&] { const std::vector<Scalar> copy(10, x.data()[0]); }, 100);
  });

  rejects("numbers that differ, with a cause", "got\n[2.]\nexpected\n[1.]\nlikely cause: a sum",
          [&] { expect("x", tensor({2}), tensor({1}), "a sum"); });
  const auto silent = outcome([] { must_be_close("x", tensor({1}), tensor({1})); });
  verdict("a right answer passes silently", silent.first && silent.second.empty(), silent.second);
  rejects("a wrong one", "RED    x\n", [] { must_be_close("x", tensor({2}), tensor({1})); });
  passes("a number that is near", [&] { expect_number("f", 1e6 + 1, 1e6, 1e-5); });
  rejects("one that is not", "RED    f: got 1000001, expected 1000000\nlikely cause: a step",
          [&] { expect_number("f", 1e6 + 1, 1e6, 1e-7, "a step"); });
  rejects("a number that is NaN", "f: got nan, expected 1",
          [&] { expect_number("f", std::nan(""), 1); });

  // compare(): compares values, gradients and arguments of pocket's ops with the library's.
  using Inputs = std::vector<pocket::Tensor>;
  const auto product = [](const std::vector<Tensor>& in) { return in[0] * in[1] + in[1]; };
  passes("the right values and gradients", [&] {
    compare(
        "f", {x, x * 2}, [](const Inputs& in) { return in[0] * in[1] + in[1]; }, product);
  });
  rejects("another value", "got\n[[ 3.  6.]", [&] {
    compare(
        "f", {x, x * 2}, [](const Inputs& in) { return in[0] + in[1]; }, product);
  });
  rejects("a gradient that is cut", "it is cut: a detach()", [&] {
    compare(
        "f", {x}, [](const Inputs& in) { return (in[0] * in[0]).detach(); },
        [](const std::vector<Tensor>& in) { return in[0] * in[0]; });
  });
  rejects("one that is half there", "look at the way back", [&] {
    compare(
        "f", {x, x * 2}, [](const Inputs& in) { return in[0] * in[1].detach() + in[1]; }, product);
  });
  rejects("one that writes into its input", "argument 1 has changed", [&] {
    compare(
        "f", {x, x * 2},
        [&](const Inputs& in) {
          const pocket::Tensor y = in[0] * in[1] + in[1];
          overwrite(in[0].data());
          return y;
        },
        product);
  });
  const auto softmax_of_rows = [](const std::vector<Tensor>& in) { return softmax(in[0]); };
  passes("large numbers", [&] {
    compare(
        "f", {x}, [](const Inputs& in) { return pocket::softmax(in[0]); }, softmax_of_rows, 1e4);
  });
  rejects("one that overflows", "f, times 10000\n", [&] {
    compare(
        "f", {x},
        [](const Inputs& in) { return exp(in[0]) / sum(exp(in[0]), -1, {.keepdim = true}); },
        softmax_of_rows, 1e4);
  });

  rejects("a closure that writes into an input", "f: backward: argument 1 has changed", [&] {
    const auto mine = [&](const Inputs& in) {
      return pocket::record("f", in[0].detach() * 2, {in[0]},
                            [=](const pocket::Tensor& dy) -> pocket::Gradients {
                              overwrite(in[0].data());
                              return {dy * 2};
                            });
    };
    compare("f", {x}, mine, [](const std::vector<Tensor>& in) { return in[0] * 2; });
  });

  // The same, for leaves with names, and in training.
  const auto leaf = pocket::ones({6}).set_requires_grad();
  const std::vector<pocket::NamedTensor> leaves{{"w", leaf}};
  const auto square = [&] { return leaf * leaf; };
  const auto half = [&] { return leaf * leaf.detach(); };
  const auto dropped = [&] { return pocket::dropout_in_training(leaf, 0.5f); };
  passes("a layer", [&] { compare("f", leaves, square, square); });
  rejects("another value of a layer", "RED    f\n", [&] {
    compare(
        "f", leaves, [&] { return leaf + leaf; }, square);
  });
  rejects("a layer whose gradient is half there", "f: the gradient of w\n",
          [&] { compare("f", leaves, half, square); });
  rejects("a layer that writes into a leaf", "argument 1 has changed", [&] {
    compare(
        "f", leaves, [&] { return overwrite(leaf.data()), square(); }, square);
  });
  passes("dropout in training", [&] { compare_in_training("f", leaves, dropped, dropped); });
  rejects("a layer without it", "RED    f, in training\n", [&] {
    compare_in_training(
        "f", leaves, [&] { return leaf * 1; }, dropped);
  });

  std::cout << "failed: " << failed << "\n";
  return failed != 0;
}
