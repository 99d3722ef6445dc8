/// @file
/// Chapter 24: a BERT beside PyTorch, with one detail changed at a time.
#pragma once

#include "tutorials/24_other_peoples_weights/bert_folder.h"
#include "tutorials/24_other_peoples_weights/judge.h"

// [bert_judge]
/// Rows of 30 tokens between [CLS] and [SEP]. Every seventh is hidden and must be predicted.
struct BertJudge {
  BertJudge() {
    const Tokens all = pieces.encode(held_out());
    Tokens in, asked;
    for (Index row = 0; row < 40; ++row) {
      in.push_back(pieces.number.at("[CLS]")), asked.push_back(-100);
      for (Index i = 0; i < 30; ++i) {
        const bool hidden = i % 7 == 3;
        const std::int32_t token = all[1 + 30 * row + i];
        in.push_back(hidden ? pieces.number.at("[MASK]") : token);
        asked.push_back(hidden ? token : -100);
      }
      in.push_back(pieces.number.at("[SEP]")), asked.push_back(-100);
    }
    inputs = IndexTensor({40, 32}, in), targets = IndexTensor({40, 32}, asked);
  }
  double loss(const Logits& model) const {
    const NoGrad no_grad;
    return cross_entropy(model(inputs), targets).item();
  }
  double distance(const Logits& model) const {
    const NoGrad no_grad;
    return apart(model(sentence), right);
  }
  /// Returns how much lower one model's loss is than another's, with its standard error.
  std::pair<double, double> gain(const Logits& model, const Logits& other) const {
    const NoGrad no_grad;
    const Tensor one = log_softmax(model(inputs)), two = log_softmax(other(inputs));
    std::vector<double> gained;
    for (Index i = 0; i < targets.size(); ++i) {
      if (targets.data()[i] < 0) continue;
      const Index at = i * one.size(-1) + targets.data()[i];
      gained.push_back(double{one.data()[at]} - two.data()[at]);
    }
    return mean_and_error(gained);
  }
  /// A model that predicts the frequency of each piece in the training text, and no more.
  Logits frequencies() const {
    std::vector<Scalar> counts(pieces.pieces.size(), Scalar(0.5));
    for (const std::int32_t token : pieces.encode(training())) ++counts[token];
    return [logits = log(tensor({std::ssize(counts)}, counts))](const IndexTensor& x) {
      return logits + zeros({x.size(0), x.size(1), 1});
    };
  }
  WordPiece pieces{kBert};
  IndexTensor inputs, targets;
  Tokens text = pieces.encode("The fox [MASK] to the old woman, and she was very [MASK].");
  IndexTensor sentence{{1, std::ssize(text)}, text};
  Tensor right = read_safetensors(kHere + "answers/logits.safetensors").at("bert");
};
// [bert_judge]

// [bert_details]
inline void bert_details(const BertJudge& judge) {
  const Part part("bert_details");
  const PublishedBert right(kBert);
  PublishedBert model = right;
  const auto line = [&](const char* what, const Logits& logits) {
    const auto [gained, error] = judge.gain(std::cref(right), logits);
    std::printf("%-32s %12s  %-7.4f  %+.1e ± %.1e\n", what, shown(judge.distance(logits)).c_str(),
                judge.loss(logits), gained + 0.0, error);
  };
  const auto show = [&](const char* what) {
    line(what, std::cref(model));
    model = PublishedBert(kBert);
  };
  std::printf("%-32s logits apart  loss     more by\n", "computed");
  show("as BERT does");
  model.details.epsilon = Scalar(1e-5);
  show("epsilon 1e-5");
  model.details.activation = gelu;
  show("GELU by tanh");
  model.details.word_bias = false;
  show("no bias on the logits");
  model.details.segments = false;
  show("no segment added");
  model.details.first_norm = false;
  show("no norm after the embeddings");
  model.details.pre_norm = true;
  show("norms before the branches");
  NamedTensors theirs = read_safetensors(kBert + "/model.safetensors"), ours = from_bert(theirs);
  int squares = 0;
  for (auto& [name, x] : ours) {  // undoes the transposes that the shapes do not require
    const bool square =
        x.rank() == 2 && x.size(0) == x.size(1) && name.find("positions") == name.npos;
    if (square) x = permute(x, {1, 0});
    squares += square;
  }
  ours.erase("bias");
  fill(model.model, ours);
  show("transposed only where it must be");
  std::printf("%d square matrices; ln V = %.3f\n", squares,
              std::log(double(judge.pieces.pieces.size())));
  const auto hidden = std::count_if(judge.targets.begin(), judge.targets.end(),
                                    [](std::int32_t target) { return target >= 0; });
  std::printf("%d hidden pieces; by the frequencies of pieces alone, loss %.3f\n", int(hidden),
              judge.loss(judge.frequencies()));
  const auto [gained, error] = judge.gain(std::cref(right), judge.frequencies());
  std::printf("gain over frequencies: %.3f ± %.3f\n", gained, error);
  const Flat python = flat_json(read_text(kHere + "answers/tokens.json"));
  const Tokens mine = judge.pieces.encode(held_out());
  const auto [same, all] = same_as_python(python, "bert held out", std::span(mine).subspan(1));
  std::printf("tokens of the held-out text: %d of %d are those of Python\n", same, all);
}
// [bert_details]
