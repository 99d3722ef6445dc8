/// @file
/// `gradus doctor`: describes and measures the machine and the build, and gives the remedy for each
/// problem.

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "autograd/check.h"
#include "autograd/kernels/blas.h"
#include "autograd/kernels/parallel_for.h"
#include "cli/program/display.h"
#include "cli/program/flags.h"
#include "cli/program/machine.h"

namespace gradus {
using namespace detail;
namespace {

using Json = nlohmann::ordered_json;

/// The least share of the rate of multiply-adds in registers that a product should reach; good
/// kernels reach 0.8 and more.
constexpr double kGoodShare = 0.55;
/// The least rate that n threads should reach, as a share of n times the rate of one thread.
constexpr double kGoodScaling = 0.6;

constexpr const char* kVariables[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                                      "OPENBLAS_CORETYPE", "GRADUS_KEEP_ENVIRONMENT"};

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    out += (out.empty() ? "" : " ") + word;
  }
  return out.empty() ? "none" : out;
}

/// Collects findings, each as a line for the user and a value for --json, and the problems.
class Findings {
 public:
  /// Begins a group of lines with a heading.
  void group(const std::string& name) { text_ += (text_.empty() ? "" : "\n") + name + "\n"; }
  void add(const std::string& key, const std::string& label, const Json& value,
           const std::string& shown) {
    json_[key] = value;
    if (label.empty()) return;  // for --json only
    text_ +=
        text("  ", label, std::string(label.size() < 22 ? 22 - label.size() : 1, ' '), shown, "\n");
  }
  /// Adds a problem and its remedy.
  void problem(const std::string& what, const std::string& remedy) {
    problems_.push_back({{"what", what}, {"remedy", remedy}});
  }
  /// Adds a remark on something that is no fault of machine or build.
  void remark(const std::string& what) { remarks_.push_back(what); }
  /// Adds a figure that is low: as a problem, unless other programs are busy.
  void slow(const std::string& what, const std::string& remedy) {
    const double load = load_of_others();
    if (load == 0) return problem(what, remedy);
    remark(what + ", but other programs are busy (load " + fixed(load, 1) +
           "): run doctor again on an idle machine");
  }
  bool all_well() const { return problems_.empty(); }
  /// The verdict first, then the findings.
  std::string as_text() const {
    std::string out = all_well() ? "All is well.\n"
                      : problems_.size() == 1
                          ? "1 problem found (exit code 1):\n"
                          : text(problems_.size(), " problems found (exit code 1):\n");
    for (const Json& problem : problems_) {
      out += "  " + problem["what"].get<std::string>() +
             "\n    remedy: " + problem["remedy"].get<std::string>() + "\n";
    }
    for (const std::string& remark : remarks_) {
      out += "Note: " + remark + "\n";
    }
    return out + "\n" + text_;
  }
  std::string as_json() {
    json_["problems"] = problems_;
    json_["notes"] = remarks_;
    json_["ok"] = all_well();
    return json_.dump(2) + "\n";
  }

 private:
  std::string text_;
  Json json_ = Json::object();
  std::vector<Json> problems_;
  std::vector<std::string> remarks_;
};

void look_at_machine(Findings& findings) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  const Memory ram = memory();
  findings.group("Machine");
  findings.add("cpu", "CPU", cpu_name(), cpu_name());
  findings.add("cores", "cores", cores, std::to_string(cores));
  findings.add("instructions", "instructions", cpu_instructions(), joined(cpu_instructions()));
  findings.add("memory_bytes", "memory", ram.total,
               in_bytes(ram.total) + ", " + in_bytes(ram.available) + " available");
  const double triad = measured_triad_gbps();
  findings.add("triad_gbps", "memory bandwidth", triad,
               fixed(triad, 1) + " GB/s (a = b + 3 c, all threads)");
  for (const char* variable : kVariables) {
    if (const char* value = std::getenv(variable)) {
      findings.add(variable, variable, value, value);
    }
  }
}

void look_at_build(Findings& findings) {
#ifdef __clang__
  const std::string compiler = std::string("clang ") + __clang_version__;
#else
  const std::string compiler = std::string("gcc ") + __VERSION__;
#endif
  findings.group("Build");
  findings.add("version", "gradus", kVersion, kVersion);
  findings.add("compiler", "compiler", compiler, compiler);
  const std::string precision = sizeof(Scalar) == 4 ? "float" : "double";
  findings.add("precision", "numbers", precision, precision);
#ifdef __OPTIMIZE__
  findings.add("optimised", "optimised", true, "yes");
#else
  findings.add("optimised", "optimised", false, "no");
  findings.problem("the build is not optimised", "meson configure build -Dbuildtype=release");
#endif
  const std::vector<std::string> used = build_instructions();
  findings.add("built_for", "built for", used, joined(used));
  for (const std::string& name : cpu_instructions()) {
    if (std::ranges::find(used, name) == used.end()) {
      findings.problem("this CPU has " + name + ", which the build does not use",
                       "meson configure build -Dnative=true, then ./run build");
      break;
    }
  }
}

void look_at_threads(Findings& findings) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  findings.group("Threads");
  findings.add("threads", "threads used", num_threads(), std::to_string(num_threads()));
  if (num_threads() < cores && std::getenv("OMP_NUM_THREADS") != nullptr) {
    findings.problem(
        text("OMP_NUM_THREADS leaves ", cores - num_threads(), " of ", cores, " cores idle"),
        "unset OMP_NUM_THREADS");
  } else if (num_threads() > cores) {
    findings.problem(text(num_threads(), " threads share ", cores, " cores"),
                     "unset OMP_NUM_THREADS");
  }
}

void look_at_blas(Findings& findings) {
  const BlasInfo blas = blas_info();
  findings.group("BLAS");
  findings.add("blas", "library", blas.name,
               blas.name + " (" + joined(loaded_libraries("openblas")) + ")");
  // OpenBLAS names its kernels after the CPUs that they were first written for.
  findings.add(
      "blas_core", "its kernels", blas.core,
      blas.core + (blas.core_fits ? " (OpenBLAS's name; suitable for this CPU)"
                                  : ", slower than the best for this CPU: " + blas.expected_core));
  findings.add("blas_expected_core", "", blas.expected_core, "");
  if (!blas.core_fits) {
    findings.problem("the BLAS does not recognise this CPU and uses kernels for " + blas.core,
                     "export OPENBLAS_CORETYPE=" + blas.expected_core +
                         " (gradus sets it itself, unless you set it or GRADUS_KEEP_ENVIRONMENT), "
                         "or install a newer OpenBLAS");
  }
  const double fma = measured_fma_gflops();
  const double one = measured_gemm_gflops(1, 0.3);
  findings.add("fma_gflops", "this CPU, one thread", fma,
               fixed(fma, 0) + " GFLOP/s (multiply-adds in registers, measured)");
  const double share = one / fma;
  findings.add(
      "gemm_gflops_1", "product, one thread", one,
      text(fixed(one, 0), " GFLOP/s, ", fixed(100 * share, 0), " % of this CPU's multiply-adds"));
  if (share < kGoodShare) {
    findings.slow(
        text("a matrix product reaches only ", fixed(one, 0), " of ", fixed(fma, 0), " GFLOP/s"),
        !blas.core_fits ? "first fix the problem of the BLAS's kernels (see above)"
        : std::getenv("OPENBLAS_CORETYPE") != nullptr
            ? "unset OPENBLAS_CORETYPE, which selected the kernels"
            : "install a newer OpenBLAS");
  }
  const int threads = num_threads();
  if (threads > 1) {
    const double all = measured_gemm_gflops(threads, 0.3);
    findings.add("gemm_gflops_all", text("product, ", threads, " threads"), all,
                 text(fixed(all, 0), " GFLOP/s, ", fixed(all / one, 2), " times one thread"));
    if (all < kGoodScaling * threads * one) {
      findings.slow(
          text(threads, " threads are only ", fixed(all / one, 2), " times as fast as one"),
          text("if two cores share one physical core, set OMP_NUM_THREADS=",
               std::max(1, threads / 2)));
    }
  }
}

/// Measures how much faster products are with --dtype=bfloat16.
void look_at_bfloat16(Findings& findings) {
  const char* const label = "product, bfloat16";
  if (const char* obstacle = bfloat16_obstacle()) {
    findings.add("gemm_gflops_bfloat16", label, nullptr, text("none: ", obstacle));
    return;
  }
  // Measures both in turn, so that other work of the machine slows both equally.
  double full = 0, rounded = 0;
  for (int i = 0; i < 4; ++i) {
    full = std::max(full, measured_gemm_gflops(num_threads(), 0.12));
    rounded =
        std::max(rounded, measured_gemm_gflops(num_threads(), 0.12, ProductPrecision::kBfloat16));
  }
  findings.add("gemm_gflops_bfloat16", label, rounded,
               text(fixed(rounded, 0), " GFLOP/s, ", fixed(rounded / full, 2),
                    " times float32: gradus train --dtype=bfloat16"));
}

}  // namespace

int doctor_command(const Arguments& arguments) {
  bool json = false;
  Flags flags("doctor",
              "Checks this machine and this build, and prints a remedy for each problem.");
  add_json_flag(flags, json);
  flags.footer(
      "Exit code: 0 if all is well, 1 if there is a problem. Low speeds are not reported as\n"
      "problems while other programs are busy.\n\nExamples:\n  gradus doctor\n"
      "  gradus doctor --json | jq .gemm_gflops_1\n");
  if (!flags.parse(arguments)) {
    return 0;
  }
  Findings findings;
  look_at_machine(findings);
  look_at_build(findings);
  look_at_threads(findings);
  look_at_blas(findings);
  look_at_bfloat16(findings);
  print(json ? findings.as_json() : findings.as_text());
  return findings.all_well() ? 0 : 1;
}

}  // namespace gradus
