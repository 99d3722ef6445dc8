// Chapter 19: a full transformer that translates, from its decoder layer to beam search.
#include <cstdio>
#include <cstring>

#include "pocket/transformer.h"
#include "tutorials/19_the_full_transformer/figures.h"
#include "tutorials/19_the_full_transformer/pairs.h"
#include "tutorials/common/keep_memory.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace course;

namespace {

// [small]
/// N = 2 layers of C = 32 channels and 4 heads, in the encoder and in the decoder.
Transformer new_model(const Sentences& sentences, std::uint64_t seed) {
  const LayerOptions layer{.d_model = 32, .num_heads = 4, .dropout = 0, .max_length = 16};
  return Transformer({sentences.english.size(), sentences.portuguese.size(), 2, layer}, seed);
}
// [small]

// [shapes]
void shapes(const Sentences& sentences) {
  const Part part("shapes");
  Transformer model = new_model(sentences, 1);
  const IndexTensor src({2, 7}, Tokens(14)), trg({2, 9}, Tokens(18));
  std::printf("words: %d English, %d Portuguese\n", int(sentences.english.size()),
              int(sentences.portuguese.size()));
  std::printf("source %s to h %s\n", words(src.shape()).c_str(),
              words(model.encode(src).shape()).c_str());
  std::printf("target %s to logits %s\n", words(trg.shape()).c_str(),
              words(model(src, trg).shape()).c_str());
  std::printf("parameters %d\n", int(count(parameters(model))));
}
// [shapes]

// [trained]
/// Trains a model. Without the source, each source is a full stop and nothing else.
Transformer trained(const Sentences& sentences, std::uint64_t seed, int steps,
                    std::vector<double>& losses, bool with_source = true) {
  Transformer model = new_model(sentences, seed);
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 5e-3, .floor = 0, .warmup = 50, .decay = steps};
  const auto all = train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    Drawn drawn = draw(sentences, 16, {seed, static_cast<std::uint32_t>(step)});
    for (Tokens& source : drawn.sources) {
      if (!with_source) source = sentences.english.encode(".");
    }
    const Rows rows = rows_of(drawn);
    return cross_entropy(model(rows.src, rows.trg, rows.src_mask), rows.next);
  });
  losses.assign(all.begin(), all.end());
  return model;
}
// [trained]

// [masks]
double apart(const Tensor& a, const Tensor& b) {  // the largest difference
  double most = 0;
  for (Index i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(double{a.data()[i]} - b.data()[i]));
  }
  return most;
}

void masks(const Sentences& sentences, const Transformer& model) {
  const Part part("masks");
  const NoGrad no_grad;
  const Tokens tired = sentences.english.encode(kTired), chile = sentences.english.encode(kChile);
  const Tokens so_far = sentences.portuguese.encode("Estão cansados.");
  const Tensor alone = model(one_row(tired), one_row(so_far));  // [1, 3, V]
  const IndexTensor src = padded({tired, chile}, kPadding),
                    trg = padded({so_far, so_far}, kPadding);
  const Tensor hidden = slice(model(src, trg, padding_mask(src, kPadding)), 0, 0, 1);
  const Tensor seen = slice(model(src, trg), 0, 0, 1);
  Tokens longer = so_far, other = so_far;
  longer.push_back(kPadding), other.back() = kEnd;
  const Tensor with_padding = slice(model(one_row(tired), one_row(longer)), 1, 0, 3);
  const Tensor changed = model(one_row(tired), one_row(other));
  std::printf("logits of one sentence change by\n");
  std::printf("%8.4f  in a batch, with the source's padding hidden\n", apart(alone, hidden));
  std::printf("%8.4f  in a batch, with the padding seen\n", apart(alone, seen));
  std::printf("%8.4f  with padding behind the target, and no mask for it\n",
              apart(alone, with_padding));
  std::printf("%8.4f  at the first two words, when the third is another\n",
              apart(slice(alone, 1, 0, 2), slice(changed, 1, 0, 2)));
}
// [masks]

void print_rows(const Rows& rows, const Vocabulary& vocabulary) {
  const Index length = rows.trg.size(1);
  for (Index b = 0; b < rows.trg.size(0); ++b) {
    Names reads, predicts;
    for (Index i = b * length; i < (b + 1) * length; ++i) {
      const std::int32_t next = rows.next.data()[i];
      reads.push_back(vocabulary.words[rows.trg.data()[i]]);
      predicts.push_back(next < 0 ? "-" : vocabulary.words[next]);
    }
    print_columns("trg", reads), print_columns("next", predicts);
  }
}

void shifted(const Sentences& sentences) {
  const Part part("shifted");
  const auto& [english, portuguese] = std::tie(sentences.english, sentences.portuguese);
  // [shifted]
  const Drawn two{{english.encode("Ana saw Pedro."), english.encode("Ana saw Pedro yesterday.")},
                  {portuguese.encode("Ana viu Pedro."), portuguese.encode("Ana viu Pedro ontem.")}};
  print_rows(rows_of(two), portuguese);
  // [shifted]
}

// [step]
void one_step(const Sentences& sentences, const Transformer& model) {
  const Part part("step");
  const NoGrad no_grad;
  const Tensor source = model.encode(one_row(sentences.english.encode(kChile)));
  const Tensor logits = slice(model.decode(source, one_row({kStart})), 1, -1);  // [1, 1, V]
  const Tensor log_p = log_softmax(logits);
  Tensor rest = logits * 1;
  std::printf("index  word      logit  log-probability  probability\n");
  for (int i = 0; i < 4; ++i) {
    const std::int32_t index = *argmax(rest, -1).data();
    print_token(index, sentences.portuguese.words[index], logits.data()[index],
                log_p.data()[index]);
    rest.mutable_data()[index] = -INFINITY;  // the next one
  }
}
// [step]

void growing(const Sentences& sentences, const Transformer& model) {
  const Part part("growing");
  // [growing]
  const NoGrad no_grad;
  const Tensor source = model.encode(one_row(sentences.english.encode(kChile)));
  Tokens written{kStart};
  while (written.back() != kEnd && written.size() < 15) {
    const Tensor p = softmax(slice(model.decode(source, one_row(written)), 1, -1));  // [1, 1, V]
    const std::int32_t best = *argmax(p, -1).data();
    written.push_back(best);
    std::printf("%.2f ", double{p.data()[best]});
    for (const std::string& word : sentences.portuguese.names(written)) {
      std::printf(" %s", word.c_str());
    }
    std::printf("\n");
  }
  // [growing]
}

// [widths]
void print_found(const Sentences& sentences, const Transformer& model, const std::string& english,
                 int width, bool with_score = true) {
  const IndexTensor src = one_row(sentences.english.encode(english));
  for (const Hypothesis& h : beam_search(model, src, kLimits, width)) {
    std::printf("P %.3f  ", std::exp(h.log_probability));
    if (with_score) std::printf("ln P %6.2f  score %6.2f  ", h.log_probability, h.score);
    std::printf("%s\n", sentences.portuguese.decode(h.tokens).c_str());
  }
}

void widths(const Sentences& sentences, const Transformer& model) {
  const Part part("widths");
  for (const int width : {1, 4}) {
    std::printf("width %d\n", width);
    print_found(sentences, model, kTired, width);
  }
}
// [widths]

// [kinds]
void kinds(const Sentences& sentences, const Transformer& model) {
  const Part part("kinds");
  for (int kind = 0; kind < 5; ++kind) {
    Judged judged;
    judge(judged, model, sentences, kind, 1);
    const std::string& english = sentences.held_out[kind].back().source;
    const IndexTensor src = one_row(sentences.english.encode(english));
    const Hypothesis best = beam_search(model, src, kLimits, 1).front();
    std::printf("%-9s %2d of %2d  %s\n%20s%s\n", kKinds[kind].c_str(), judged.right,
                judged.sentences, english.c_str(), "",
                sentences.portuguese.decode(best.tokens).c_str());
  }
}
// [kinds]

// [blind]
void blind(const Sentences& sentences) {
  const Part part("blind");
  std::vector<double> losses;
  const Transformer model = trained(sentences, 1, 200, losses, false);
  print_losses(losses, Floors(sentences).without);
  for (const Hypothesis& h :
       beam_search(model, one_row(sentences.english.encode(".")), kLimits, 2)) {
    std::printf("ln P %5.2f  %s\n", h.log_probability,
                sentences.portuguese.decode(h.tokens).c_str());
  }
}
// [blind]

// [early]
/// Prints the first wrong translations after a short training, beside the right ones.
void early(const Sentences& sentences) {
  const Part part("early");
  std::vector<double> losses;
  const Transformer model = trained(sentences, 1, 200, losses);
  for (const Kind kind : {kTrip, kState, kPurchase}) {
    for (const Pair& pair : sentences.held_out[kind]) {
      const IndexTensor src = one_row(sentences.english.encode(pair.source));
      const Hypothesis best = beam_search(model, src, kLimits, 4).front();
      const std::string written = sentences.portuguese.decode(best.tokens);
      if (std::ranges::count(pair.targets, written) > 0) continue;
      std::printf("%s\n  ln P %5.2f  %s\n", pair.source.c_str(), best.log_probability,
                  written.c_str());
      for (const std::string& right : pair.targets) {
        std::printf("  ln P %5.2f  %s (right)\n",
                    log_probability(model, sentences, pair.source, right), right.c_str());
      }
      break;
    }
  }
  const Judged judged = judge(model, sentences, 4);
  std::printf("%d of %d held-out sentences right, BLEU %.1f\n", judged.right, judged.sentences,
              100 * bleu(model, sentences, 4));
}
// [early]

// [cross_weights]
/// The weights of cross-attention in each layer, [H, T, S], for one sentence.
std::vector<Tensor> cross_weights(const Transformer& model, const IndexTensor& src,
                                  const IndexTensor& trg) {
  const NoGrad no_grad;
  const Tensor source = model.encode(src);
  Tensor x = model.positions.embed(model.trg_embed(trg));
  std::vector<Tensor> all;
  for (const DecoderLayer& layer : model.layers) {
    const Tensor own = residual(x, layer.norm_1, layer.options, [&](const Tensor& y) {
      return layer.self_attention(y, y, {.causal = true});
    });
    const MultiHeadAttention& cross = layer.cross_attention;
    const Tensor q = split_heads(cross.query(layer.norm_2(own)), cross.num_heads);
    const Tensor weights = attention_weights(q, cross.key_values(source).keys);  // [1, H, T, S]
    all.push_back(reshape(weights, {cross.num_heads, trg.size(1), src.size(1)}));
    x = layer(x, source, {.causal = true}, {});
  }
  return all;
}
// [cross_weights]

// [pointed]
/// For names, countries, months and things of held-out translations, the share of each layer: how
/// often the mean of its heads has its largest weight on the right source word.
std::vector<double> pointed(const Sentences& sentences, const Transformer& model) {
  std::vector<double> right(model.layers.size());
  double words = 0;
  for (const auto& kind : sentences.held_out) {
    for (std::size_t i = 0; i < std::min<std::size_t>(kind.size(), 30); ++i) {
      const Tokens src = sentences.english.encode(kind[i].source);
      const Tokens target = sentences.portuguese.encode(kind[i].targets.back());
      const Rows rows = rows_of({{src}, {target}});
      const std::vector<Tensor> layers = cross_weights(model, rows.src, rows.trg);
      for (std::size_t t = 0; t < target.size(); ++t) {
        const std::string word = meaning(sentences.portuguese.words[target[t]]);
        if (word.empty()) continue;
        ++words;
        for (std::size_t l = 0; l < layers.size(); ++l) {
          const IndexTensor most = argmax(mean(layers[l], 0), -1);  // [T]
          right[l] += sentences.english.words[src[most.data()[t]]] == word;
        }
      }
    }
  }
  for (double& share : right) share /= words;
  return right;
}
// [pointed]

// [alignment]
void alignment(const Sentences& sentences, const Transformer& model) {
  const Part part("alignment");
  const auto rows_for = [&](const Pair& pair) {
    return rows_of({{sentences.english.encode(pair.source)},
                    {sentences.portuguese.encode(pair.targets.back())}});
  };
  const Rows chile = rows_for(sentences.find(kChile));
  const std::vector<Tensor> layers = cross_weights(model, chile.src, chile.trg);
  draw_explorer(std::vector<Grid>(layers.begin(), layers.end()),
                sentences.portuguese.names({chile.trg.begin(), chile.trg.end()}),
                sentences.portuguese.names({chile.next.begin(), chile.next.end()}),
                sentences.english.names({chile.src.begin(), chile.src.end()}));
  Tensor total = zeros({7, 6});
  int purchases = 0;
  for (const Pair& pair : sentences.held_out[kPurchase]) {
    const Rows rows = rows_for(pair);
    if (rows.src.size(1) != 6) continue;  // "The boy bought ..." has a word more
    total = total + mean(cross_weights(model, rows.src, rows.trg).back(), 0), ++purchases;
  }
  draw_alignment(total / Scalar(purchases));
  std::printf("purchases in the heatmap: %d\n", purchases);
  const std::vector<double> shares = pointed(sentences, model);
  std::printf("largest weight on its own source word: layer 1 %.2f, layer 2 %.2f\n", shares[0],
              shares[1]);
}
// [alignment]

// [hidden]
/// Counts right articles and nouns while one source word is hidden from the cross-attention.
void hidden(const Sentences& sentences, const Transformer& model) {
  const Part part("hidden");
  const NoGrad no_grad;
  Drawn drawn;
  for (const Pair& pair : sentences.held_out[kPurchase]) {
    const Tokens source = sentences.english.encode(pair.source);
    if (source.size() != 6) continue;
    drawn.sources.push_back(source);
    drawn.targets.push_back(sentences.portuguese.encode(pair.targets[0]));
  }
  const Rows rows = rows_of(drawn);
  const Tensor source = model.encode(rows.src);  // sees all words
  const Names words = {"nothing", "name", "verb", "article", "adjective", "noun", "full stop"};
  std::printf("hidden     article right  guessed  noun right  guessed\n");
  for (Index word = 0; word < 7; ++word) {
    Tokens seen(rows.src.size(), 1);
    for (Index i = word - 1; word > 0 && i < rows.src.size(); i += 6) seen[i] = 0;
    const IndexTensor mask({rows.src.size(0), 1, 1, 6}, seen);
    const IndexTensor best = argmax(model.decode(source, rows.trg, mask), -1);  // [B, 7]
    double right[2] = {0, 0};
    for (Index i = 0; i < best.size(); ++i) {
      const bool asked = i % 7 == 2 || i % 7 == 3;  // Ana bought [two] [cars]
      if (asked) right[i % 7 - 2] += best.data()[i] == rows.next.data()[i];
    }
    const std::vector<double> guess = guessed(sentences, std::size_t(word));
    std::printf("%-10s %13.2f %8.2f %11.2f %8.2f\n", words[word].c_str(), right[0] / best.size(0),
                guess[0], right[1] / best.size(0), guess[1]);
  }
}
// [hidden]

// [choices]
/// Two choices of Vaswani and others that the chapter's model does without.
struct Choice {
  const char* name;
  Scalar size = 1, factor = 1;  // the embeddings' standard deviation at first; their factor
  Scalar smoothing = 0;         // the share of each target that is spread over all words
};

/// The model's forward pass, with embeddings times a factor.
Tensor logits_with(const Transformer& model, const Rows& rows, Scalar factor) {
  const Tensor source = model.encoder(model.src_embed(rows.src) * factor, rows.src_mask);
  Tensor y = model.positions.embed(model.trg_embed(rows.trg) * factor);
  for (const DecoderLayer& layer : model.layers) {
    y = layer(y, source, {.causal = true}, {.mask = rows.src_mask});
  }
  return model.out(model.norm(y));
}

/// (1 - smoothing) times the cross-entropy, and smoothing times the mean of -ln p of all words.
Tensor smoothed_loss(const Tensor& logits, const IndexTensor& next, Scalar smoothing) {
  Tensor counted(next.shape());  // 1, and 0 for padding
  for (Index i = 0; i < next.size(); ++i) counted.mutable_data()[i] = next.data()[i] < 0 ? 0 : 1;
  const Tensor all_words = sum(mean(log_softmax(logits), -1) * counted) / sum(counted);
  return (Scalar(1) - smoothing) * cross_entropy(logits, next) - smoothing * all_words;
}

Transformer trained_with(const Sentences& sentences, std::uint64_t seed, int steps,
                         const Choice& choice) {
  Transformer model = new_model(sentences, seed);
  const auto scale = [&](Scalar factor) {
    for (Embedding* table : {&model.src_embed, &model.trg_embed}) {
      table->weight = (table->weight.detach() * factor).set_requires_grad();
    }
  };
  scale(choice.size);
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 5e-3, .floor = 0, .warmup = 50, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const Rows rows = rows_of(draw(sentences, 16, {seed, static_cast<std::uint32_t>(step)}));
    return smoothed_loss(logits_with(model, rows, choice.factor), rows.next, choice.smoothing);
  });
  scale(choice.factor);  // now Transformer's own forward pass has the factor
  return model;
}

/// Held-out sentences: the loss per token without smoothing, and the mean P of a right translation,
/// whichever it is.
std::pair<double, double> held_out(const Sentences& sentences, const Transformer& model) {
  double loss = 0, tokens = 0, right = 0, count = 0;
  for (const auto& kind : sentences.held_out) {
    for (std::size_t i = 0; i < std::min<std::size_t>(kind.size(), 30); ++i, ++count) {
      for (std::size_t k = 0; k < kind[i].targets.size(); ++k) {
        const double log_p = log_probability(model, sentences, kind[i].source, kind[i].targets[k]);
        const auto words = Vocabulary::split_words(kind[i].targets[k]).size() + 1;  // <EOS>
        loss -= kind[i].shares[k] * log_p, tokens += kind[i].shares[k] * double(words);
        right += std::exp(log_p);
      }
    }
  }
  return {loss / tokens, right / count};
}

void choices(const Sentences& sentences) {
  const Part part("choices");
  const Scalar root = std::sqrt(Scalar(32));
  print_choices_title();
  for (const Choice& choice :
       {Choice{"the page's model"}, Choice{"embeddings of size 1/sqrt(C)", 1 / root},
        Choice{"the same, times sqrt(C)", 1 / root, root},
        Choice{"label smoothing of 0.1", 1, 1, Scalar(0.1)}}) {
    for (const int steps : {200, 800}) {
      std::vector<double> losses, probabilities, shares;
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Transformer model = trained_with(sentences, seed, steps, choice);
        const auto [loss, probability] = held_out(sentences, model);
        const Judged judged = judge(model, sentences, 1);
        losses.push_back(loss), probabilities.push_back(probability);
        shares.push_back(double(judged.right) / judged.sentences);
      }
      print_choice(choice.name, steps, losses, probabilities, shares);
    }
  }
}
// [choices]

// [long]
/// Compares greedy search and a beam, after few and many steps, at five seeds.
void long_run(const Sentences& sentences) {
  std::vector<Searched> searched;
  Ends ends;
  for (const int steps : {100, 200, 800}) {
    Searched row{.steps = steps};
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      std::vector<double> losses;
      const Transformer model = trained(sentences, seed, steps, losses);
      const Judged greedy = judge(model, sentences, 1), beam = judge(model, sentences, 4);
      row.greedy.push_back(double(greedy.right) / greedy.sentences);
      row.beam.push_back(double(beam.right) / beam.sentences);
      row.greedy_log_p += greedy.log_p / greedy.sentences / 5;
      row.beam_log_p += beam.log_p / beam.sentences / 5;
      row.wrong += beam.sentences - beam.right, row.preferred += beam.preferred;
      if (steps < 800) continue;
      ends.loss.push_back(losses.back());
      const std::vector<double> shares = pointed(sentences, model);
      ends.layer_1.push_back(shares[0]), ends.layer_2.push_back(shares[1]);
      const auto found = [&](const std::string& source, int width) {
        return beam_search(model, one_row(sentences.english.encode(source)), kLimits, width);
      };
      std::set<std::string> two;
      for (const Hypothesis& h : found(kChile, 2))
        two.insert(sentences.portuguese.decode(h.tokens));
      const auto& right = sentences.find(kChile).targets;
      ends.both += two == std::set<std::string>(right.begin(), right.end());
      const Hypothesis one = found(kTired, 1)[0], best = found(kTired, 4)[0];
      ends.more_probable += best.log_probability > one.log_probability;
      trained(sentences, seed, steps, losses, false);
      ends.loss_without.push_back(losses.back());
    }
    searched.push_back(row);
  }
  print_long(searched, ends);
}

}  // namespace

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  const Sentences sentences;
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    long_run(sentences);
    choices(sentences);
    return 0;
  }
  shapes(sentences);
  masks(sentences, new_model(sentences, 1));
  shifted(sentences);
  std::vector<double> losses;
  const Transformer model = trained(sentences, 1, 800, losses);
  {
    const Part part("losses");
    print_losses(losses, Floors(sentences).seen);
  }
  {
    const Part part("chile");
    print_found(sentences, model, kChile, 2, false);
  }
  one_step(sentences, model);
  growing(sentences, model);
  widths(sentences, model);
  kinds(sentences, model);
  early(sentences);
  blind(sentences);
  alignment(sentences, model);
  hidden(sentences, model);
}
// [long]
