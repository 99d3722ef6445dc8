/* Times training steps of llm.c on the CPU: forward, zeroing the gradients, backward, AdamW. Its step does not clip.
 *
 * usage: llmc_step WEIGHTS n_layer n_head n_embd block_size batch_size vocab_size SECONDS
 *
 * Compile it with llm.c's folder as an include path. It writes random weights to the file WEIGHTS in llm.c's format, from
 * which llm.c makes the model. Then it reads numbers from standard input, a line each. After each, it makes as many steps
 * on random tokens, or as many as fit into SECONDS, at least one, and prints one JSON object. */
#define TESTING /* leaves out llm.c's own main() */
#include "train_gpt2.c"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static uint64_t state = 1337;

static uint32_t draw(void) { /* a linear congruential generator: its upper half */
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 32);
}

/* A uniform number with mean 0 and the given standard deviation. */
static float weight(float deviation) { return deviation * 3.4641016f * (draw() / 4294967296.0f - 0.5f); }

static void write_weights(const char* file, GPT2Config config) {
  size_t sizes[NUM_PARAMETER_TENSORS];
  const int header[256] = {20240326, 3, config.max_seq_len, config.vocab_size, config.num_layers, config.num_heads,
                           config.channels, config.padded_vocab_size};
  FILE* out = fopenCheck(file, "wb");
  fwriteCheck(header, sizeof(int), 256, out);
  fill_in_parameter_sizes(sizes, config);
  for (int i = 0; i < NUM_PARAMETER_TENSORS; ++i) {
    const int gain = i == 2 || i == 8 || i == 14; /* of the norms */
    for (size_t k = 0; k < sizes[i]; ++k) {
      const float value = gain ? 1.0f : weight(0.02f);
      fwriteCheck(&value, sizeof(float), 1, out);
    }
  }
  fcloseCheck(out);
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  if (argc != 9) {
    fprintf(stderr, "llmc_step takes 8 arguments, got %d\n", argc - 1);
    return 2;
  }
  int n[8];
  for (int i = 2; i < 9; ++i) n[i - 2] = atoi(argv[i]);
  const int block_size = n[3], batch_size = n[4], vocab_size = n[5], tokens = block_size * batch_size;
  const double most = n[6] * 1e3;
  /* The vocabulary is not padded, so that the step has no additional work. */
  const GPT2Config config = {.max_seq_len = block_size, .vocab_size = vocab_size, .padded_vocab_size = vocab_size,
                             .num_layers = n[0], .num_heads = n[1], .channels = n[2]};
  GPT2 model;
  write_weights(argv[1], config);
  gpt2_build_from_checkpoint(&model, argv[1]);
  remove(argv[1]);
  int* inputs = mallocCheck(tokens * sizeof(int));
  int* targets = mallocCheck(tokens * sizeof(int));
  int count, done = 0;
  while (scanf("%d", &count) == 1 && count > 0) {
    double* times = mallocCheck(count * sizeof(double));
    const double began = milliseconds();
    int steps = 0;
    while (steps < count && (steps == 0 || milliseconds() - began < most)) {
      for (int i = 0; i < tokens; ++i) {
        inputs[i] = draw() % vocab_size;
        targets[i] = draw() % vocab_size;
      }
      const double start = milliseconds();
      gpt2_forward(&model, inputs, targets, batch_size, block_size);
      gpt2_zero_grad(&model);
      gpt2_backward(&model);
      gpt2_update(&model, 1e-3f, 0.9f, 0.99f, 1e-8f, 0.1f, ++done);
      times[steps++] = milliseconds() - start;
    }
    qsort(times, steps, sizeof(double), ascending);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"peer\": \"llm.c\", \"steps\": %d, \"best_ms\": %.3f, \"median_ms\": %.3f, \"loss\": %.4f, \"peak_rss_mib\": %.1f}\n",
           steps, times[0], (times[(steps - 1) / 2] + times[steps / 2]) / 2, model.mean_loss, usage.ru_maxrss / 1024.0);
    fflush(stdout);
    free(times);
  }
  return 0;
}
