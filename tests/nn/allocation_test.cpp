// A separate program, because it counts every call of operator new.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "autograd/kernels/allocator.h"
#include "nn/generate/inference_session.h"
#include "nn/tasks/gpt_task.h"
#include "nn/train/trainer.h"
#include "tests/nn/tiny_run.h"

namespace {

std::size_t calls_of_new = 0;

void* counted(std::size_t bytes) {
  ++calls_of_new;
  if (void* block = std::malloc(bytes)) return block;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

using namespace gradus;

// With the address sanitizer the allocator keeps no memory for reuse: see allocator.cpp.
#if defined(__SANITIZE_ADDRESS__)
#define GRADUS_NO_CACHE true
#elif defined(__has_feature)
#define GRADUS_NO_CACHE __has_feature(address_sanitizer)
#else
#define GRADUS_NO_CACHE false
#endif

TEST_CASE("training: from the third step on, nothing is taken from the system" *
          doctest::skip(GRADUS_NO_CACHE)) {
  TinyRun run;
  run.options.max_iters = 12;
  run.options.eval_interval = 100;
  Gpt model(run.config);
  GptTask task(model, run.corpus, run.tokenizer);
  Trainer trainer(task, run.options, "");
  std::vector<std::size_t> news;
  std::vector<std::uint64_t> blocks;
  news.reserve(20);
  blocks.reserve(20);
  TrainCallbacks callbacks;
  callbacks.on_step = [&](const StepReport&) {
    news.push_back(calls_of_new);
    blocks.push_back(allocator_stats().system_allocations);
  };
  trainer.run(callbacks);
  REQUIRE(news.size() == 12);
  for (std::size_t step = 2; step < 12; ++step) {
    CAPTURE(step);
    CHECK(news[step] == news[step - 1]);
    CHECK(blocks[step] == blocks[step - 1]);
  }
}

TEST_CASE("decoding: after the first full window, nothing is taken from the system" *
          doctest::skip(GRADUS_NO_CACHE)) {
  const Gpt model({.vocab_size = 97, .n_positions = 64, .n_layer = 2, .n_head = 4, .n_embd = 64});
  for (const Index texts : {1, 3}) {
    InferenceSession reader(model, texts);
    const IndexTensor token(Shape{texts, 1});
    const auto read_window = [&] {
      reader.clear();
      for (int i = 0; i < 64; ++i) {
        reader.step(token);
      }
    };
    read_window();
    const std::size_t news = calls_of_new;
    const std::uint64_t blocks = allocator_stats().system_allocations;
    read_window();
    CHECK(calls_of_new == news);
    CHECK(allocator_stats().system_allocations == blocks);
  }
}
