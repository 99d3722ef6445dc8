// Chapter 21: a transformer that reads images, patch by patch.
#include "pocket/vision.h"

#include <cstdio>
#include <cstring>
#include <iostream>

#include "tutorials/21_images_as_sequences/digits.h"
#include "tutorials/21_images_as_sequences/figures.h"
#include "tutorials/21_images_as_sequences/solutions/6_masked.cpp"  // needs no labels
#include "tutorials/common/keep_memory.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace pocket;
using namespace course;
using namespace digits;

namespace {

// [data]
struct Data {
  Digits train = draw_digits(0, 6000), held_out = draw_digits(6000, 1000);
};
// [data]

// [config]
VisionConfig config_of(Index patch, Position position = Position::kLearned) {
  VisionConfig config{.height = 16, .width = 16, .patch = patch};
  config.layer = {.d_model = 32, .num_heads = 4, .dropout = 0, .position = position};
  return config;
}
// [config]

// [patches]
void patches() {
  std::vector<Scalar> pixels(24);
  std::iota(pixels.begin(), pixels.end(), Scalar(0));
  const Tensor image = tensor({1, 4, 6}, pixels);
  std::cout << image << "\n\n" << patchify(image, 2) << "\n";
}
// [patches]

// [shapes]
void shapes(const Data& data) {
  VisionTransformer model(config_of(4), 1);
  const Tensor images = some_of(data.train, {0, 1, 2}).images;
  std::cout << "images   " << images.shape() << "\n";
  std::cout << "patches  " << patchify(images, 4).shape() << ", of 8 by 8 "
            << patchify(images, 8).shape() << "\n";
  std::cout << "embedded " << model.embed(patchify(images, 4)).shape() << "\n";
  std::cout << "logits   " << model(images).shape() << "\n";
  std::cout << count(parameters(model)) << " parameters\n";
}
// [shapes]

// [drawn]
void drawn(const Data& data) {
  std::printf("%d images to learn from, %d held out\n", int(data.train.labels.size()),
              int(data.held_out.labels.size()));
  print_extent(data.held_out.images);
}
// [drawn]

// [figures]
/// The 5 at the top of the page, and the same patches in another order.
struct Opening {
  explicit Opening(const Data& data)
      : five(some_of(data.held_out, {27}).images),
        shuffled(with_patches(five, 4, [&](Index) { return order; })) {}
  std::vector<Index> order = random_order(16, {.seed = 8});
  Tensor five, shuffled;
};

void draw_both(const Data& data) {
  draw_sheet(some_of(data.held_out, first_of_each(data.held_out)).images);
  const Opening opening(data);
  draw_sentence(opening.five, opening.shuffled, {opening.order.begin(), opening.order.end()});
}
// [figures]

// [learn]
/// Chapter 06's loop, with 16 images in each step.
template <class Model>
void learn(Model& model, const Digits& digits, int steps, double rate, std::uint64_t seed) {
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = rate, .floor = rate / 10, .warmup = 50, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const Digits batch = random_digits(digits, 16, {seed, static_cast<std::uint32_t>(step)});
    return cross_entropy(model(batch.images), batch.labels);
  });
}
// [learn]

// [models]
/// The digits that a model reads in all images.
template <class Model>
std::vector<int> guesses_of(const Model& model, const Digits& some) {
  const NoGrad no_grad;
  std::vector<int> guesses;
  const Index count = some.labels.size();
  for (Index first = 0; first < count; first += 100) {
    const Index last = std::min(first + 100, count);
    const IndexTensor next = argmax(model(slice(some.images, 0, first, last)), -1);
    guesses.insert(guesses.end(), next.begin(), next.end());
  }
  return guesses;
}

template <class Model>
double percent_right(const Model& model, const Digits& some) {
  const std::vector<int> guesses = guesses_of(model, some);
  double right = 0;
  for (Index i = 0; i < some.labels.size(); ++i) right += guesses[i] == some.labels.data()[i];
  return 100 * right / double(some.labels.size());
}

/// Ten weighted sums of the pixels: what any other model must beat.
struct LinearClassifier {
  LinearClassifier(KeySequence& keys) : map(kSide * kSide, 10, keys) {}
  Tensor operator()(const Tensor& images) const {
    return map(reshape(images, {images.size(0), -1}));
  }
  void fields(auto&& f) { f("map", map); }
  Linear map;
};

/// Chapter 03's network: about as many parameters as the transformer, and no idea of a patch.
struct HiddenLayer {
  HiddenLayer(KeySequence& keys, Index pixels = kSide * kSide, Index labels = 10)
      : up(pixels, 100, keys), down(100, labels, keys) {}
  Tensor operator()(const Tensor& images) const {
    return down(gelu(up(reshape(images, {images.size(0), -1}))));
  }
  void fields(auto&& f) { f("up", up), f("down", down); }
  Linear up, down;
};

/// The same images, each with its patches in another random order.
Digits shuffled(const Digits& some, Index patch) {
  const auto order = [&](Index image) {
    return random_order(kSide / patch * (kSide / patch), {3, static_cast<std::uint32_t>(image)});
  };
  return {with_patches(some.images, patch, order), some.labels};
}
// [models]

// [weights_of]
/// The attention weights of each layer, [B, H, T, T]: the encoder's forward pass once more.
std::vector<Tensor> weights_of(const VisionTransformer& model, const Tensor& images) {
  const Tensor first = model.class_token + zeros({images.size(0), 1, 1});
  const Tensor patches = model.embed(patchify(images, model.config.patch));
  Tensor x = model.encoder.positions.embed(concat({first, patches}, 1));
  std::vector<Tensor> weights;
  for (const Block& layer : model.encoder.layers) {
    const Tensor y = layer.ln_1(x);
    const Index heads = layer.attn.num_heads;
    weights.push_back(attention_weights(split_heads(layer.attn.query(y), heads),
                                        split_heads(layer.attn.key(y), heads)));
    x = layer(x);
  }
  return weights;
}
// [weights_of]

// [grids_of]
std::vector<Grid> grids_of(const VisionTransformer& model, const Digits& some) {
  const std::vector<Tensor> layers = weights_of(model, some.images);
  return std::vector<Grid>(layers.begin(), layers.end());
}

/// How much of the class token's weight is on patches with ink, from five seeds and in the mean:
/// with the weights of the image itself, and with those of another.
void ink_of_five(const Data& data) {
  const Digits some = random_digits(data.held_out, 200, {4});
  std::vector<Index> next(200);
  for (Index i = 0; i < 200; ++i) next[i] = (i + 1) % 200;
  const Digits others = some_of(some, next);
  std::vector<double> rows[4];
  double with_ink = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    VisionTransformer model(config_of(4), seed);
    learn(model, data.train, 1000, 0.005, seed);
    const std::vector<Grid> weights = grids_of(model, some);
    const std::vector<double> own = percent_ink(some.images, weights),
                              other = percent_ink(others.images, weights);
    with_ink = own[0];
    for (int i = 0; i < 4; ++i) rows[i].push_back(i % 2 == 0 ? own[1 + i / 2] : other[1 + i / 2]);
  }
  std::printf("%2.0f %% of patches have ink   seed 1      2      3      4      5   mean\n",
              with_ink);
  const char* names[] = {"its own weights", "another image's"};
  for (int i = 0; i < 4; ++i) {
    std::printf("layer %d, %-17s", 1 + i / 2, names[i % 2]);
    rows[i].push_back(std::accumulate(rows[i].begin(), rows[i].end(), 0.0) / 5);
    for (const double percent : rows[i]) std::printf(" %4.0f %%", percent);
    std::printf("\n");
  }
}
// [grids_of]

// [similar]
/// The cosines of the angles between the learned vectors of any two patches' positions, [N, N].
Tensor similarities(const VisionTransformer& model) {
  const Tensor& all = model.encoder.positions.weight;  // [N + 1, C]
  const Tensor p = slice(all, 0, 1, all.size(0));      // without the class token's
  const Tensor unit = p / sqrt(sum(p * p, -1, {.keepdim = true}));
  return matmul(unit, unit, {.b = true});
}
// [similar]

// [cost]
/// The multiplications of one image's forward pass, in millions: in the linear maps, of which there
/// are so many for each token, and in attention's two products, so many for each pair of tokens.
void print_cost(Index side, Index patch, Index channels, int layers) {
  const double tokens = double(side / patch * (side / patch) + 1), c = double(channels);
  const double maps = layers * tokens * 12 * c * c + double(side * side) * c;
  const double products = layers * 2 * tokens * tokens * c;
  std::printf("%5d %6d %8.0f %14.0f %12.2f %14.2f %8.0f %%\n", int(side), int(patch), tokens,
              tokens * tokens, maps / 1e6, products / 1e6, 100 * products / (maps + products));
}

void cost() {
  std::printf(" side  patch   tokens  weights a head    maps, 10^6  products, 10^6  of both\n");
  for (const Index patch : {8, 4, 2, 1}) print_cost(16, patch, 32, 2);
  for (const Index patch : {32, 16, 8, 1}) print_cost(224, patch, 768, 12);  // the paper's Base
}
// [cost]

void quick(const Data& data) {
  // [quick]
  KeySequence keys(1);
  LinearClassifier linear(keys);
  HiddenLayer hidden(keys);
  VisionTransformer model(config_of(4), 1), orderless(config_of(4, Position::kNone), 1);
  const Tensor at_first = similarities(model);
  const Digits known = random_digits(data.train, 1000, {2}), other = shuffled(data.held_out, 4);
  const auto row = [&](const char* name, auto& model, double rate) {
    learn(model, data.train, 700, rate, 1);
    std::printf("%-24s %9d %10.1f %% %7.1f %% %7.1f %%\n", name, int(count(parameters(model))),
                percent_right(model, known), percent_right(model, data.held_out),
                percent_right(model, other));
  };
  {
    const Part part("quick");
    std::printf("                        parameters     training  held out  shuffled\n");
    row("linear", linear, 0.03);
    row("hidden layer of 100", hidden, 0.01);
    row("transformer", model, 0.005);
    row("without positions", orderless, 0.005);
  }
  // [quick]
  // [opening]
  {
    const Part part("opening");
    const Opening opening(data);
    std::printf("the 5 above          as drawn   shuffled\n");
    const auto show = [&](const char* name, const VisionTransformer& model) {
      std::printf("%-18s", name);
      for (const Tensor& image : {opening.five, opening.shuffled}) {
        const NoGrad no_grad;
        const Tensor p = softmax(model(image));
        const auto most = std::max_element(p.begin(), p.end());
        std::printf("   %d, %3.0f %%", int(most - p.begin()), 100 * double(*most));
      }
      std::printf("\n");
    };
    show("transformer", model);
    show("without positions", orderless);
  }
  // [opening]
  // [shuffle]
  {
    const Part part("shuffle");
    const Digits some = some_of(data.held_out, random_order(100, {5}));
    const Tensor before = orderless(some.images), after = orderless(shuffled(some, 4).images);
    must_equal("without positions, logits before and after the shuffle", before, after, 1e-4);
  }
  // [shuffle]
  // [looks]
  const NoGrad no_grad;
  const std::vector<Index> first = first_of_each(data.held_out);
  const Digits ten = some_of(data.held_out, first), four = some_of(data.held_out, {first[4]});
  const IndexTensor guesses = argmax(model(ten.images), -1);
  draw_attention(ten.images, weights_of(model, ten.images).back(),
                 {guesses.begin(), guesses.end()});
  draw_explorer(four.images, grids_of(model, four));
  draw_similarities(at_first, similarities(model));
  // [looks]
}

// [masked]
/// Hides half of the patches, by the answer to exercise 21.6, and lets a model draw them.
MaskedAutoencoder learn_masked(const Data& data, int steps, std::uint64_t seed) {
  MaskedAutoencoder model(config_of(4), seed);
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 0.01, .floor = 0.001, .warmup = 50, .decay = steps};
  train(optimiser, {.steps = steps, .schedule = schedule}, [&](int step) {
    const RandomKey key{.seed = seed, .step = static_cast<std::uint32_t>(step)};
    return hidden_error(model, random_digits(data.train, 8, key).images, hide(8, 16, 8, key));
  });
  return model;
}

void masked(const Data& data) {
  const MaskedAutoencoder model = learn_masked(data, 1000, 1);
  const NoGrad no_grad;
  const Tensor& images = data.held_out.images;
  const Tensor hidden = hide(images.size(0), 16, 8, {.seed = 9});
  show_masked(images, hidden, completed(model, images, hidden), mean(data.train.images, 0),
              {first_of_each(data.held_out)[2], first_of_each(data.held_out)[6]});
}

// [masked]

// [long]
struct SeeNothing {
  void operator()(const auto&) const {}
};

/// Of five models that differ by their seed alone: how many held-out images are read right, in
/// percent, and how long a step of training took, in milliseconds.
struct Score {
  void add(double right) {
    mean += right / 5, least = std::min(least, right), most = std::max(most, right);
    seeds.push_back(right);
  }
  double mean = 0, least = 100, most = 0, step = 0;
  std::vector<double> seeds;
};

/// Trains them on the same data, or each on its own. `see` gets every trained model.
template <class Make, class See = SeeNothing>
Score five_seeds(const std::vector<Data>& all, double rate, const Make& make, int steps = 1000,
                 const See& see = {}) {
  Score score;
  const double before = seconds_of_cpu();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Data& data = all[(seed - 1) % all.size()];
    auto model = make(seed);
    learn(model, data.train, steps, rate, seed);
    score.add(percent_right(model, data.held_out));
    see(model);
  }
  score.step = 1000 * (seconds_of_cpu() - before) / 5 / steps;
  return score;
}

void print_head() {
  std::printf("held out: mean, range        after 1000 steps    after 3000 steps       a step\n");
}

void print_row(const char* name, const std::vector<Score>& scores, const char* rest = "") {
  std::printf("%-27s", name);
  for (const Score& s : scores) std::printf("  %.1f, %.1f to %.1f", s.mean, s.least, s.most);
  const double ms = scores[0].step;
  const std::string shown = ms < 0.5 ? "< 1" : std::to_string(std::lround(ms));
  std::printf("%s%*s ms\n", rest, scores.size() == 1 ? 28 - int(std::strlen(rest)) : 8,
              shown.c_str());
}
// [long]

// [labels]
/// The errors of five masked autoencoders, mean and range. Returns those of 10000 steps.
std::vector<MaskedAutoencoder> masked_long(const Data& data) {
  const Tensor& images = data.held_out.images;
  const Tensor hidden = hide(images.size(0), 16, 8, {.seed = 9});
  std::vector<MaskedAutoencoder> models;
  for (const int steps : {1000, 10000}) {
    models.clear();
    double mean = 0, least = 1, most = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      models.push_back(learn_masked(data, steps, seed));
      const NoGrad no_grad;
      const double error = hidden_error(models.back(), images, hidden).item();
      mean += error / 5, least = std::min(least, error), most = std::max(most, error);
    }
    std::printf("after %5d steps: %.3f, %.3f to %.3f\n", steps, mean, least, most);
  }
  return models;
}

/// A classifier with the embedding, positions and blocks of a masked autoencoder, in numbers of its
/// own: copied tensors are handles to the same ones. Class token and head are new.
VisionTransformer classifier_of(const MaskedAutoencoder& from, std::uint64_t seed) {
  VisionTransformer model(config_of(4), seed);
  model.embed = from.embed, model.encoder.norm = from.encoder.norm;
  model.encoder.layers = from.encoder.layers;
  Tensor& positions = model.encoder.positions.weight;
  positions = concat({slice(positions, 0, 0, 1), from.encoder.positions.weight}, 0);
  visit_parameters(model, [](const std::string&, Tensor& x) {
    x = tensor(x.shape(), std::vector<Scalar>(x.begin(), x.end())).set_requires_grad();
  });
  return model;
}

/// Trains with few labels; each seed has other images.
void few_labels(const Data& data, const std::vector<MaskedAutoencoder>& models) {
  std::printf("held out: mean, range        100 labels          1000 labels\n");
  const char* names[] = {"from nothing", "from nothing, 3000 steps", "from hidden patches",
                         "hidden layer of 100"};
  Score scores[4][2];
  for (const int column : {0, 1}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      std::vector<Index> which(column == 0 ? 100 : 1000);
      std::iota(which.begin(), which.end(), Index(1000 * (seed - 1)));
      const Digits few = some_of(data.train, which);
      const auto add = [&](int row, auto model, int steps = 500, double rate = 0.005) {
        learn(model, few, steps, rate, seed);
        scores[row][column].add(percent_right(model, data.held_out));
      };
      KeySequence keys(seed);
      add(0, VisionTransformer(config_of(4), seed));
      add(1, VisionTransformer(config_of(4), seed), 3000);
      add(2, classifier_of(models[seed - 1], seed));
      add(3, HiddenLayer(keys), 500, 0.01);
    }
  }
  for (int row = 0; row < 4; ++row) {
    std::printf("%-27s", names[row]);
    for (const Score& s : scores[row]) {
      std::printf("  %.1f, %.1f to %.1f", s.mean, s.least, s.most);
    }
    std::printf("\n");
    if (row != 2) continue;
    std::printf("... better than both above  ");
    for (const int column : {0, 1}) {
      int better = 0;
      for (int i = 0; i < 5; ++i) {
        better += scores[2][column].seeds[i] >
                  std::max(scores[0][column].seeds[i], scores[1][column].seeds[i]);
      }
      std::printf(" at %d of 5 seeds%s", better, column == 0 ? "    " : "\n");
    }
  }
}
// [labels]

// [cut]
/// All images with their patches in one order.
Data reordered(const Data& data, Index patch, const std::vector<Index>& order) {
  const auto same = [&](Index) { return order; };
  Data result = data;
  result.train.images = with_patches(data.train.images, patch, same);
  result.held_out.images = with_patches(data.held_out.images, patch, same);
  return result;
}

/// The pixels in a random order, another for each of five seeds: patches of 1 are pixels.
std::vector<Data> random_cuts(const Data& data) {
  std::vector<Data> cuts;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    cuts.push_back(reordered(data, 1, random_order(kSide * kSide, {.seed = 10 + seed})));
  }
  return cuts;
}
// [cut]

// [rolled]
/// Each image moved by random numbers of pixels, to the left and up: what leaves it comes in on the
/// other side.
Data rolled(const Data& data) {
  const auto roll = [](std::uint64_t seed) {
    return [=](Index image) {
      const RandomKey key{seed, static_cast<std::uint32_t>(image)};
      const Index left = uniform_index(key, 0, kSide), up = uniform_index(key, 1, kSide);
      std::vector<Index> from(kSide * kSide);
      for (Index i = 0; i < kSide * kSide; ++i) {
        from[i] = (i / kSide + up) % kSide * kSide + (i + left) % kSide;
      }
      return from;
    };
  };
  Data result = data;
  result.train.images = with_patches(data.train.images, 1, roll(6));
  result.held_out.images = with_patches(data.held_out.images, 1, roll(7));
  return result;
}
// [rolled]

// [sheets]
/// Each image, whole, at a random place of a larger sheet, with the same noise around it.
Data on_sheets(const Data& data, Index side) {
  const auto place = [side](const Digits& some, std::uint64_t seed) {
    const Index count = some.labels.size(), places = side - kSide + 1;
    Tensor sheets = uniform({count, side, side}, {seed}, -0.15, 0.15);
    for (Scalar* x = sheets.mutable_data(); x != sheets.end(); ++x) *x = std::max(*x, Scalar(0));
    for (Index i = 0; i < count; ++i) {
      const RandomKey key{seed, static_cast<std::uint32_t>(i + 1)};
      const Index left = uniform_index(key, 0, places), up = uniform_index(key, 1, places);
      for (Index y = 0; y < kSide; ++y) {
        std::copy_n(some.images.data() + (i * kSide + y) * kSide, kSide,
                    sheets.mutable_data() + (i * side + up + y) * side + left);
      }
    }
    return Digits{sheets, some.labels};
  };
  return {place(data.train, 8), place(data.held_out, 9)};
}
// [sheets]

// [places]
/// All patches with ink; the label of each is its place in the image.
Digits patches_with_ink(const Tensor& images, Index patch) {
  const Tensor all = patchify(images, patch);
  const Index places = all.size(1), pixels = patch * patch;
  std::vector<Scalar> kept;
  std::vector<std::int32_t> labels;
  for (Index i = 0; i < all.size(0) * places; ++i) {
    const Scalar* first = all.data() + i * pixels;
    if (std::accumulate(first, first + pixels, 0.0) <= 0.15 * double(pixels)) continue;
    kept.insert(kept.end(), first, first + pixels);
    labels.push_back(static_cast<std::int32_t>(i % places));
  }
  const Index count = std::ssize(labels);
  return {tensor({count, patch, patch}, kept), IndexTensor({count}, labels)};
}

/// From one patch's pixels alone, where was it? Chapter 03's network guesses. Beside it, the share
/// of the place where most of them are: what you can guess without looking.
void print_places(const char* name, const std::vector<Data>& all, Index patch) {
  const Index pixels = patch * patch, places = kSide * kSide / pixels;
  std::vector<Data> some;
  double most = 0;  // the mean over the data
  for (const Data& data : all) {
    some.push_back({patches_with_ink(data.train.images, patch),
                    patches_with_ink(data.held_out.images, patch)});
    const IndexTensor& labels = some.back().held_out.labels;
    std::vector<double> times(std::size_t(places), 0.0);
    for (const int place : labels) ++times[std::size_t(place)];
    most += 100 * *std::max_element(times.begin(), times.end()) / double(labels.size()) /
            double(all.size());
  }
  const Score s = five_seeds(some, 0.01, [&](std::uint64_t seed) {
    KeySequence keys(seed);
    return HiddenLayer(keys, pixels, places);
  });
  char guessed[40];
  std::snprintf(guessed, sizeof guessed, "%.1f, %.1f to %.1f", s.mean, s.least, s.most);
  std::printf("%-15s%6d   %-23s%17.1f\n", name, int(places), guessed, most);
}

void places(const Data& data, const Data& rolling, const std::vector<Data>& cuts) {
  std::printf("patches of     places   guessed: mean, range   the most frequent\n");
  print_places("8", {data}, 8);
  print_places("4", {data}, 4);
  print_places("2", {data}, 2);
  print_places("8, rolled", {rolling}, 8);
  print_places("4, random cut", cuts, 4);
}
// [places]

// [rows]
/// What models with positions read in 5s whose four rows of patches change places: as drawn, the
/// bottom row first, and in the 22 other orders, in the mean and at most.
void rows_of_fives(const Data& data, const std::vector<VisionTransformer>& models) {
  std::vector<Index> which, rows = {0, 1, 2, 3};
  for (Index i = 0; i < data.held_out.labels.size(); ++i) {
    if (data.held_out.labels.data()[i] == 5) which.push_back(i);
  }
  const Digits some = some_of(data.held_out, which);
  std::vector<double> as_5, as_2;  // of each order
  do {
    const auto order = [&](Index) {
      std::vector<Index> patches(16);
      for (Index i = 0; i < 16; ++i) patches[i] = rows[i / 4] * 4 + i % 4;
      return patches;
    };
    const Digits moved{with_patches(some.images, 4, order), some.labels};
    double all = 0, fives = 0, twos = 0;
    for (const VisionTransformer& model : models) {
      for (const int guess : guesses_of(model, moved)) {
        ++all, fives += guess == 5, twos += guess == 2;
      }
    }
    as_5.push_back(100 * fives / all), as_2.push_back(100 * twos / all);
  } while (std::next_permutation(rows.begin(), rows.end()));
  const auto show = [](const char* name, double five, double two) {
    std::printf("%-24s %6.0f %% %7.0f %%\n", name, five, two);
  };
  const auto mean = [](const std::vector<double>& of) {
    return std::accumulate(of.begin() + 1, of.end() - 1, 0.0) / double(of.size() - 2);
  };
  const auto most = [](const std::vector<double>& of) {
    return *std::max_element(of.begin() + 1, of.end() - 1);
  };
  std::printf("5s, rows of patches      read as 5      as 2\n");
  show("as drawn", as_5.front(), as_2.front());
  show("bottom row first", as_5.back(), as_2.back());
  show("22 other orders, mean", mean(as_5), mean(as_2));
  show("22 other orders, most", most(as_5), most(as_2));
}
// [rows]

// [order]
void long_run(const Data& data) {
  {
    const Part part("ink");
    ink_of_five(data);
  }
  std::vector<MaskedAutoencoder> models;
  {
    const Part part("masked");
    models = masked_long(data);
  }
  {
    const Part part("labels");
    few_labels(data, models);
  }
  const Data rolling = rolled(data);
  const std::vector<Data> cuts = random_cuts(data);
  {
    const Part part("places");
    places(data, rolling, cuts);
  }
  const auto transformer = [](Index patch, Position position = Position::kLearned) {
    return [=](std::uint64_t seed) { return VisionTransformer(config_of(patch, position), seed); };
  };
  const auto linear = [](std::uint64_t seed) {
    KeySequence keys(seed);
    return LinearClassifier(keys);
  };
  const auto hidden = [](std::uint64_t seed) {
    KeySequence keys(seed);
    return HiddenLayer(keys);
  };
  std::vector<Grid> at_first, similar, in_middle, similar_fixed;  // one of each seed
  const auto keep = [](std::vector<Grid>& all) {
    return [&](const VisionTransformer& model) { all.push_back(similarities(model)); };
  };
  std::vector<VisionTransformer> placed;  // of 3000 steps, with positions
  std::vector<int> with, without;         // what five models read, with positions and without
  const auto read = [&](std::vector<int>& all) {
    return [&](const VisionTransformer& model) {
      const std::vector<int> guesses = guesses_of(model, data.held_out);
      all.insert(all.end(), guesses.begin(), guesses.end());
    };
  };
  const auto both = [](const char* name, const std::vector<Data>& all, double rate,
                       const auto& make) {
    print_row(name, {five_seeds(all, rate, make), five_seeds(all, rate, make, 3000)});
  };
  {
    const Part part("long");
    print_head();
    both("linear", {data}, 0.03, linear);
    both("hidden layer of 100", {data}, 0.01, hidden);
    both("patches of 8", {data}, 0.005, transformer(8));
    both("patches of 8, no positions", {data}, 0.005, transformer(8, Position::kNone));
    print_row("patches of 4",
              {five_seeds({data}, 0.005, transformer(4), 1000, keep(similar)),
               five_seeds({data}, 0.005, transformer(4), 3000,
                          [&](const auto& model) { read(with)(model), placed.push_back(model); })});
    print_row("patches of 4, no positions",
              {five_seeds({data}, 0.005, transformer(4, Position::kNone)),
               five_seeds({data}, 0.005, transformer(4, Position::kNone), 3000, read(without))});
    both("patches of 2", {data}, 0.005, transformer(2));
    print_row("patches of 2, no positions",
              {five_seeds({data}, 0.005, transformer(2, Position::kNone))}, "  left out: too slow");
  }
  {
    const Part part("rolled");
    print_head();
    both("linear", {rolling}, 0.03, linear);
    both("hidden layer of 100", {rolling}, 0.01, hidden);
    both("patches of 8", {rolling}, 0.005, transformer(8));
    both("patches of 8, no positions", {rolling}, 0.005, transformer(8, Position::kNone));
    both("patches of 4", {rolling}, 0.005, transformer(4));
    both("patches of 4, no positions", {rolling}, 0.005, transformer(4, Position::kNone));
  }
  {
    const Part part("sheets");
    const Data sheets = on_sheets(data, 24);
    const auto larger = [](Position position) {
      return [=](std::uint64_t seed) {
        VisionConfig config = config_of(8, position);
        config.height = config.width = 24;
        return VisionTransformer(config, seed);
      };
    };
    const auto wider = [](std::uint64_t seed) {
      KeySequence keys(seed);
      return HiddenLayer(keys, 24 * 24);
    };
    print_head();
    both("hidden layer of 100", {sheets}, 0.01, wider);
    both("patches of 8", {sheets}, 0.005, larger(Position::kLearned));
    both("patches of 8, no positions", {sheets}, 0.005, larger(Position::kNone));
  }
  {
    const Part part("cut");
    print_head();
    both("random cut", cuts, 0.005, transformer(4));
    both("random cut, no positions", cuts, 0.005, transformer(4, Position::kNone));
  }
  // [order]
  {
    const Part part("by_digit");
    // [by_digit]
    const IndexTensor& labels = data.held_out.labels;
    print_confusions({labels.begin(), labels.end()}, with, without);
    // [by_digit]
  }
  {
    const Part part("rows");
    rows_of_fives(data, placed);
  }
  // [neighbours]
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    at_first.push_back(similarities(transformer(4)(seed)));
  }
  const Data middle{draw_digits(0, 6000, true), draw_digits(6000, 1000, true)};
  {
    const Part part("neighbours");
    print_row("in the middle, 1000 steps",
              {five_seeds({middle}, 0.005, transformer(4), 1000, keep(in_middle))});
    std::printf("\n");
    print_neighbours({{"before training", at_first},
                      {"after training", similar},
                      {"digits in the middle", in_middle}});
  }
  // [neighbours]
  // [fixed]
  const std::vector<Index> fixed = random_order(16, {.seed = 2});
  {
    const Part part("fixed");
    print_row("one fixed order, 1000 steps",
              {five_seeds({reordered(data, 4, fixed)}, 0.005, transformer(4), 1000,
                          keep(similar_fixed))});
    std::printf("\n");
    print_neighbours({{"in one fixed order", similar_fixed}}, {fixed.begin(), fixed.end()});
  }
  // [fixed]
}

}  // namespace

// [main]
int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  keep_memory();
  const Data data;
  if (argc > 2 && std::strcmp(argv[2], "--long") == 0) {
    long_run(data);
    return 0;
  }
  const auto run = [](const char* name, auto&& print) {
    const Part part(name);
    print();
  };
  run("patches", patches);
  run("shapes", [&] { shapes(data); });
  run("drawn", [&] { drawn(data); });
  draw_both(data);
  quick(data);
  run("cost", cost);
  run("masked", [&] { masked(data); });
}
// [main]
