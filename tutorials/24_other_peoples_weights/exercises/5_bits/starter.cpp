// Exercise 24.5, 25 minutes: say first with how few bits per weight the loss is still good.
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "tutorials/24_other_peoples_weights/gpt2_folder.h"
#include "tutorials/common/show.h"

const std::filesystem::path kRoot =
    std::filesystem::path(COURSE_FABLES).parent_path() / ".." / ".." / "..";
const std::string kFolder = kRoot / "tutorials/24_other_peoples_weights/fables_gpt";

/// Only matrices with these letters in their names are rounded, such as "wte"; "" means all.
const std::string kOnly = "";

Scalar largest(const Scalar* x, Index n) {  // absolute value
  Scalar most = 0;
  for (Index i = 0; i < n; ++i) most = std::max(most, std::abs(x[i]));
  return most;
}

/// Each number becomes the nearest of 2^bits - 1 equidistant ones, from -m to m; m is the largest
/// absolute value in its group: the whole matrix, or one row of it.
Tensor rounded(const Tensor& x, int bits, bool by_row) {
  const Index group = by_row ? x.size(-1) : x.size();
  Tensor y(x.shape());
  for (Index first = 0; first < x.size(); first += group) {
    const Scalar step = largest(x.data() + first, group) / Scalar((1 << (bits - 1)) - 1);
    for (Index i = first; i < first + group; ++i) {
      y.mutable_data()[i] = step > 0 ? std::round(x.data()[i] / step) * step : 0;
    }
  }
  return y;
}

/// How many times a row's largest absolute value is contained in the matrix's.
std::vector<double> ratios(const Tensor& x) {
  const double most = largest(x.data(), x.size());
  std::vector<double> ratios;
  for (Index row = 0; row < x.size(0); ++row) {
    ratios.push_back(most / largest(x.data() + row * x.size(1), x.size(1)));
  }
  return ratios;
}

void print_median(const char* what, std::vector<double> ratios) {
  std::ranges::sort(ratios);
  std::printf("%-25s  %.1f\n", what, ratios[ratios.size() / 2]);
}

int main() {
  const std::string fables = read_text(COURSE_FABLES);
  const Tokens all = Gpt2Tokenizer(kFolder).encode(fables.substr(fables.size() * 9 / 10));
  const Tokens tokens(all.begin(), all.begin() + 40 * 64 + 1);
  std::vector<double> before;  // each block's loss by the full model
  const auto show = [&](Gpt model, const char* how, int bits) {
    double entropy = 0;             // of the predictions, the mean over all positions
    double cooled = 1e9, best = 1;  // the least loss with all logits divided by one number
    for (const Scalar divisor : {1.0f, 1.5f, 2.0f, 3.0f, 5.0f, 8.0f}) {
      const double with =
          mean_loss(tokens, 64, [&](const IndexTensor& x) { return model(x) * (1 / divisor); });
      if (with < cooled) cooled = with, best = divisor;
    }
    const double loss = mean_loss(tokens, 64, [&](const IndexTensor& x) {
      const Tensor logits = model(x), log_p = log_softmax(logits);
      entropy -= sum(exp(log_p) * log_p).item() / double(40 * 64);
      return logits;
    });
    std::vector<double> above;  // each block's loss minus the full model's
    for (Index block = 0; block < 40; ++block) {
      const auto first = tokens.begin() + block * 64;
      const double its = mean_loss({first, first + 65}, 64, std::cref(model));
      if (bits == 32) before.push_back(its);
      above.push_back(its - before[block]);
    }
    const auto [more, error] = course::mean_and_error(above);
    Index count = 0, zeros = 0;
    visit_parameters(model, [&](const std::string&, const Tensor& x) {
      if (x.rank() == 2) count += x.size(), zeros += std::count(x.begin(), x.end(), Scalar(0));
    });
    char shown[40] = "";
    if (bits < 32) std::snprintf(shown, sizeof shown, "+%.4f ± %.4f", more, error);
    std::printf(
        "%2d bits %-9s  loss %.3f  %-16s  entropy %.2f  %2.0f%% are 0  logits / %.1f: loss %.3f\n",
        bits, how, loss, shown, entropy, 100.0 * double(zeros) / double(count), best, cooled);
  };
  std::vector<double> counts(384, 0.5);  // in the rest of the book, which the model was trained on
  const Tokens trained = Gpt2Tokenizer(kFolder).encode(fables.substr(0, fables.size() * 9 / 10));
  for (const std::int32_t token : trained) ++counts[token];
  const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
  double loss_of_counts = 0, entropy = 0;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    loss_of_counts -= std::log(counts[tokens[i]] / n) / double(tokens.size() - 1);
  }
  for (const double count : counts) entropy -= count / n * std::log(count / n);
  std::printf("frequencies alone  loss %.3f  %16s  entropy %.2f\n", loss_of_counts, "", entropy);
  show(read_gpt2(kFolder), "", 32);
  for (const bool by_row : {false, true}) {
    for (const int bits : {8, 7, 6, 5, 4, 3, 2}) {
      Gpt model = read_gpt2(kFolder);
      visit_parameters(model, [&](const std::string& name, Tensor& x) {
        const bool asked = name.find(kOnly) != name.npos;
        if (x.rank() == 2 && asked) x = rounded(x, bits, by_row);
      });
      show(model, by_row ? "by row" : "by matrix", bits);
    }
  }
  const auto loss = [&](const Gpt& in, const Gpt& out) {  // one table in, another one out
    return mean_loss(tokens, 64, [&](const IndexTensor& x) { return out.logits(in.features(x)); });
  };
  Gpt right = read_gpt2(kFolder);
  std::printf("\nthree bits, one matrix of each kind alone\n                 by matrix   by row\n");
  const auto row = [](const char* what, double by_matrix, double by_row) {
    std::printf("%-16s %9.3f  %7.3f\n", what, by_matrix, by_row);
  };
  const auto with = [&](const std::string& asked, bool by_row) {
    Gpt model = read_gpt2(kFolder);
    visit_parameters(model, [&](const std::string& name, Tensor& x) {
      if (x.rank() == 2 && name.find(asked) != name.npos) x = rounded(x, 3, by_row);
    });
    return model;
  };
  const char* kinds[] = {"wpe",         "attn.query", "attn.key",   "attn.value",
                         "attn.output", "mlp.c_fc",   "mlp.c_proj", "wte"};
  for (const char* name : kinds) {
    const Gpt matrix = with(name, false), rows = with(name, true);
    row(name, loss(matrix, matrix), loss(rows, rows));
  }
  const Gpt matrix = with("wte", false), rows = with("wte", true);
  row("wte, input only", loss(matrix, right), loss(rows, right));
  row("wte, output only", loss(right, matrix), loss(right, rows));
  std::printf("\na matrix's largest number is how many times a row's, median of all rows\n");
  for (const char* name : kinds) {
    std::vector<double> all;
    visit_parameters(right, [&](const std::string& its, const Tensor& x) {
      if (x.rank() != 2 || its.find(name) == its.npos) return;
      for (const double ratio : ratios(x)) all.push_back(ratio);
    });
    print_median(name, all);
  }
  const std::vector<double> of = ratios(right.wte.weight);
  std::vector<double> in_text;
  for (const std::int32_t token : tokens) in_text.push_back(of[token]);
  print_median("wte, at the text's tokens", in_text);
}
