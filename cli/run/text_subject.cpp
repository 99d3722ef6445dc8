#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "autograd/check.h"
#include "autograd/kernels/allocator.h"
#include "cli/cluster/cluster.h"
#include "cli/program/command.h"
#include "cli/program/machine.h"
#include "cli/program/signals.h"
#include "cli/program/write_text.h"
#include "cli/run/costs.h"
#include "cli/run/own_sizes.h"
#include "cli/run/settle.h"
#include "cli/run/subject.h"
#include "nn/files/gpt_files.h"
#include "nn/files/replace_folder.h"
#include "nn/tasks/gpt_task.h"
#include "nn/train/exact_loss.h"

namespace gradus {
using namespace detail;
namespace {

namespace fs = std::filesystem;

/// The default length of `gradus sample`; a story may take longer to its end.
constexpr Index kSampleTokens = 500, kStoryTokens = 500, kShortSampleTokens = 200;

/// Bytes per token are counted in at most this many tokens, from the start of a split.
constexpr std::size_t kCountedTokens = std::size_t{1} << 24;

/// A plan with --minutes also shows the model for this many times the minutes.
constexpr double kMoreTime = 5;

/// The unit of the vocabulary.
const char* units_of(const Tokenizer& tokenizer) {
  const std::string kind = tokenizer.name();
  return kind == "char" ? " characters" : kind == "byte" ? " bytes" : " tokens";
}

/// The mean bytes of text per token, in these tokens.
double bytes_of(std::span<const std::int32_t> tokens, const Tokenizer& tokenizer) {
  const auto part = tokens.first(std::min(tokens.size(), kCountedTokens));
  return static_cast<double>(target_bytes(part, tokenizer)) /
         static_cast<double>(std::max<std::size_t>(2, part.size()) - 1);
}

class TextSubject final : public Subject {
 public:
  TextSubject(const Flags& flags, Settings& settings, TextParts parts)
      : flags_(flags),
        settings_(settings),
        parts_(std::move(parts)),
        corpus_(parts_.text, *parts_.tokenizer) {
    parts_.text = Text();  // only its tokens are needed from here on
    fit_to_text();
    const bool fits_evaluations = is_timed() && !flags.given("--eval_interval");
    if (!parts_.resumed && !fits_evaluations && !flags.given("--eval_iters") &&
        settings_.recipe.can_evaluate_whole(held_out_batches())) {
      settings_.recipe.eval_iters = 0;
    }
  }

  Task& task() override {
    if (!task_) {
      if (!parts_.model) {
        parts_.model = std::make_unique<Gpt>(settings_.model, settings_.recipe.seed);
      }
      set_requires_grad(*parts_.model, true);
      task_.emplace(*parts_.model, corpus_, *parts_.tokenizer);
    }
    return *task_;
  }

  Plan plan(std::int64_t done) override {
    const auto text_bytes = static_cast<double>(corpus_.text_bytes());
    return is_timed()
               ? make_plan(settings_.model, settings_.recipe, text_bytes, 0, fit_to_time())
               : make_plan(settings_.model, settings_.recipe, text_bytes, done, held_out_batches());
  }

  void show(Display& display, const Plan& plan, std::int64_t done) const override;
  std::string again() override {
    const bool is_sized = is_timed() || settings_.recipe_name == "own";
    return is_sized ? repeating_command(flags_, settings_) : "";
  }
  std::string shorter(const Plan&) const override {
    const bool by_iters = !is_timed() && settings_.recipe_name != "nanogpt";
    return parts_.resumed ? "pass a smaller --max_iters"
           : is_timed()   ? "pass fewer --minutes"
           : by_iters     ? "pass --minutes 2 instead of --max_iters"
                          : "pass --recipe own --minutes 2, and leave out --max_iters and the "
                            "size flags";
  }

  BytesPerToken bytes_per_token() const override {
    return {bytes_of(corpus_.tokens(Split::kTrain), *parts_.tokenizer),
            bytes_of(corpus_.tokens(Split::kVal), *parts_.tokenizer)};
  }
  double loss_of_nothing() const override { return gradus::loss_of_nothing(settings_.model); }
  std::string evaluated_on() const override;
  std::optional<ExactLoss> exact_loss_of_best(Display& display) override;
  std::string sample(std::int64_t step) override;
  void finale() override;
  const char* command() const override { return "sample"; }

 private:
  bool is_timed() const { return settings_.minutes > 0; }
  /// The number of batches with this model and recipe that cover all held-out tokens.
  std::int64_t held_out_batches() const {
    return exact_batches(corpus_.tokens(Split::kVal).size(), settings_.model.n_positions,
                         settings_.recipe.batch_size);
  }
  void fit_to_text();
  Costs fit_to_time();
  Costs measured();
  std::string reason(const Plan& plan) const;
  Gpt best_model() const;

  const Flags& flags_;
  Settings& settings_;
  TextParts parts_;
  Corpus corpus_;
  std::optional<GptTask> task_;
  double load_of_others_ = 0;  // during the measurement: see machine.h
};

/// Shortens the blocks of an own recipe if the text is too short for them.
void TextSubject::fit_to_text() {
  const auto held_out = static_cast<Index>(corpus_.tokens(Split::kVal).size());
  Index& block = settings_.model.n_positions;
  if (settings_.recipe_name == "own" && !flags_.given("--block_size")) {
    check(held_out > 1, corpus_.name(), ": needs at least 11 tokens, as a tenth is held out, got ",
          corpus_.tokens(Split::kAll).size(),
          " (use a longer text, of at least a few thousand tokens)");
    block = std::min(block, held_out - 1);
  }
  check(parts_.begun_from.empty() || held_out > block, corpus_.name(),
        ": the held-out last tenth needs more tokens than the model's block_size of ", block,
        ", got ", held_out, " (use a text of at least ", 10 * block + 1, " tokens)");
  corpus_.require_blocks(static_cast<int>(block));
}

/// The costs of a new model: the lower of two measurements if other programs are busy.
Costs TextSubject::measured() {
  const Settings& s = settings_;
  Gpt model(s.model, s.recipe.seed);
  set_requires_grad(model, true);
  GptTask task(model, corpus_, *parts_.tokenizer);
  const double measuring = std::clamp(0.04 * 60 * s.minutes, 0.02, 4.0);
  Costs costs = measured_costs(task, s.recipe, measuring);
  if ((load_of_others_ = load_of_others()) > 0) {
    const Costs again = measured_costs(task, s.recipe, measuring);
    costs.step = std::min(costs.step, again.step);
    costs.evaluation_batch = std::min(costs.evaluation_batch, again.evaluation_batch);
  }
  return costs;
}

/// Computes the number of steps that fit into the minutes.
Costs TextSubject::fit_to_time() {
  Settings& s = settings_;
  check_memory(memory_needed(s.model, s.recipe, static_cast<double>(corpus_.text_bytes())),
               "train");
  const std::int64_t held_out = held_out_batches();
  Costs costs = costs_of_first([&] { return measured(); });
  costs.held_out_batches = held_out;
  release_cached_memory();
  const bool settled = flags_.given("--eval_interval") || flags_.given("--eval_iters");
  fit_steps(s.recipe, costs, 60 * s.minutes,
            s.recipe_name == "own" ? s.recipe.max_iters : kMostSteps, settled);
  if (!flags_.given("--warmup_iters")) {
    s.recipe.schedule.warmup = std::min(s.recipe.schedule.warmup, s.recipe.max_iters / 10);
  }
  complete_schedule(flags_, s);
  return costs;
}

/// Explains the length and the size of the run.
std::string TextSubject::reason(const Plan& plan) const {
  const Settings& s = settings_;
  const double seconds = 60 * s.minutes;
  std::string out = "steps chosen for " + in_time(seconds);
  if (s.recipe_name != "own") {
    return out;
  }
  out = "model and " + out;
  if (plan.seconds < 0.85 * seconds) {
    out += "; with more steps, the model would only memorise this short text";
  }
  const OwnSizes more =
      own_sizes(static_cast<double>(corpus_.text_bytes()), kMoreTime * parts_.reference_steps);
  const bool larger = more.n_layer > s.model.n_layer || more.n_embd > s.model.n_embd;
  return out + (larger ? text("; --minutes ", kMoreTime * s.minutes, " would choose ",
                              counted(more.n_layer, "layer"), " of ", more.n_embd, " channels")
                       : "");
}

std::string TextSubject::evaluated_on() const {
  const TrainOptions& recipe = settings_.recipe;
  const std::size_t all = corpus_.tokens(Split::kVal).size() - 1;
  const Index drawn = recipe.eval_iters * recipe.batch_size * settings_.model.n_positions;
  return recipe.eval_iters == 0
             ? text("exact, on all ", all, " held-out tokens")
             : text("estimated on ", drawn, " tokens drawn from the ", all, " held-out tokens");
}

void TextSubject::show(Display& display, const Plan& plan, std::int64_t done) const {
  const GptConfig& model = settings_.model;
  const TrainOptions& recipe = settings_.recipe;
  const auto tokens = [&](Split split) {
    return with_unit(static_cast<double>(corpus_.tokens(split).size()));
  };
  const double per_step = static_cast<double>(recipe.batch_size) *
                          static_cast<double>(model.n_positions) *
                          recipe.gradient_accumulation_steps;
  display.entry("text", text(corpus_.name(), ": ", corpus_.tokens(Split::kAll).size(), " tokens, ",
                             tokens(Split::kTrain), " for training, ", tokens(Split::kVal),
                             " for validation"));
  display.entry("vocabulary", text(model.vocab_size, units_of(*parts_.tokenizer)));
  display.entry("model", text(with_unit(plan.parameters), " parameters: ",
                              counted(model.n_layer, "layer"), ", ", counted(model.n_head, "head"),
                              ", ", model.n_embd, " channels, blocks of ", model.n_positions));
  if (!parts_.begun_from.empty()) {
    display.entry("begins", "with the weights of " + parts_.begun_from.string());
  }
  display.entry("steps", text(recipe.max_iters, ", each with ", with_unit(per_step), " tokens and ",
                              with_unit(plan.flops_per_step), "FLOP",
                              done > 0 ? text("; ", done, " are done") : ""));
  if (is_timed()) {
    display.entry("", reason(plan));
  }
  display.entry("evaluation",
                text("every ", counted(static_cast<long>(recipe.eval_interval), "step"), ", ",
                     evaluated_on()));
  const double nothing = loss_of_nothing();
  display.entry("loss",
                text(fixed(nothing, 4), " nats per token for random guessing (",
                     fixed(bits_per_byte(nothing, bytes_per_token().val), 2), " bits per byte)"));
  display.entry("memory", "about " + in_bytes(plan.memory));
  display.entry("time",
                text("about ", in_time(std::max(1.0, plan.seconds)),
                     " (measured: ", fixed(1000 * plan.costs.step, plan.costs.step < 0.001 ? 3 : 1),
                     " ms a step; ", plan.peak, " ", fixed(plan.peak_gflops, 0), " GFLOP/s)"));
  if (load_of_others_ > 0) {
    display.entry("",
                  text("other programs use the CPU (load ", fixed(load_of_others_, 1), " on ",
                       counted(sysconf(_SC_NPROCESSORS_ONLN), "core"),
                       "), so fewer steps fit than on an idle machine; gradus uses the faster of "
                       "two measurements"));
  }
}

std::string TextSubject::sample(std::int64_t step) {
  const Opening opening = opening_for(*parts_.tokenizer, parts_.is_bundled);
  std::string out = "  ";
  const RandomKey key{settings_.recipe.seed, static_cast<std::uint32_t>(step), 0};
  write_text(*parts_.model, *parts_.tokenizer, opening.start, kShortSampleTokens, opening.options,
             key, opening.end, [&](std::string_view piece) {
               for (const char c : piece) {
                 out += c == '\n' ? std::string("\n  ") : std::string(1, c);
               }
               return StopSignals::received() == 0;
             });
  return out;
}

Gpt TextSubject::best_model() const {
  const fs::path out_dir = settings_.out_dir, best = find_folder(out_dir / "best");
  return load_gpt(fs::is_directory(best) ? best : out_dir / "last");
}

/// The exact loss, as `gradus eval` measures it.
std::optional<ExactLoss> TextSubject::exact_loss_of_best(Display& display) {
  if (!settings_.recipe.can_evaluate_at_end(held_out_batches())) {
    return std::nullopt;
  }
  struct Stopped {};
  try {
    return exact_loss(best_model(), corpus_.tokens(Split::kVal), settings_.recipe.batch_size,
                      [&](double share) {
                        display.live({fixed(100 * share, 0) + "% of the exact evaluation"});
                        if (StopSignals::received() != 0) throw Stopped();
                      });
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

/// The first text that `gradus sample` would write.
void TextSubject::finale() {
  const Gpt model = best_model();
  const Opening opening = opening_for(*parts_.tokenizer, parts_.is_bundled);
  const Index count = parts_.is_bundled ? kStoryTokens : kSampleTokens;
  write_text(model, *parts_.tokenizer, opening.start, count, opening.options,
             {settings_.recipe.seed, 0, 0}, opening.end, [&](std::string_view piece) {
               print(piece);
               return StopSignals::received() == 0;
             });
  print("\n");
}

}  // namespace

std::unique_ptr<Subject> text_subject(const Flags& flags, Settings& settings, TextParts parts) {
  return std::make_unique<TextSubject>(flags, settings, std::move(parts));
}

}  // namespace gradus
