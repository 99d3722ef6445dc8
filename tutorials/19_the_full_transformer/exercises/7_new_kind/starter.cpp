// Exercise 19.7, 15 minutes: a kind of sentence that the grammar does not have. Say first which
// translation cannot be right, and whether a beam of 4 can have a lower ln P than greedy search.
#include <cstdio>

#include "tutorials/19_the_full_transformer/exercises.h"
#include "tutorials/19_the_full_transformer/pairs.h"

// Your pairs: a sentence with words of the grammar, and its translation.
const std::vector<std::pair<std::string, std::string>> kAsked = {
    {"My mother is visiting Chile in January.", "Minha mãe irá visitar o Chile em janeiro."},
    {"The girls are visiting Chile in January.", "As meninas irão visitar o Chile em janeiro."},
    {"They bought two red cars.", "Eles compraram dois carros vermelhos."},
};

// Yours: the people who travel in the second training, with the verb.
struct Travellers {
  std::string english, portuguese;
};
const std::vector<Travellers> kTravellers = {{"The boys are", "Os meninos irão"},
                                             {"My father is", "Meu pai irá"}};

Transformer trained(const Sentences& sentences) {
  const LayerOptions layer{.d_model = 32, .num_heads = 4, .dropout = 0, .max_length = 16};
  Transformer model({sentences.english.size(), sentences.portuguese.size(), 2, layer}, 1);
  AdamW optimiser(parameters(model), {});
  const Schedule schedule{.rate = 5e-3, .floor = 0, .warmup = 50, .decay = 800};
  train(optimiser, {.steps = 800, .schedule = schedule}, [&](int step) {
    const Rows rows = rows_of(draw(sentences, 16, {1, static_cast<std::uint32_t>(step)}));
    return cross_entropy(model(rows.src, rows.trg, rows.src_mask), rows.next);
  });
  return model;
}

void show(const char* title, const Sentences& sentences) {
  const Transformer model = trained(sentences);
  std::printf("%s\n", title);
  for (const auto& [english, right] : kAsked) {
    const IndexTensor src = one_row(sentences.english.encode(english));
    std::printf("  %s\n", english.c_str());
    for (const int width : {1, 4}) {
      const Hypothesis best = beam_search(model, src, kLimits, width).front();
      const std::string written = sentences.portuguese.decode(best.tokens);
      std::printf("    beam %d  ln P %6.2f  %s%s\n", width, best.log_probability, written.c_str(),
                  written == right ? "" : "  <- another");
    }
  }
}

int main() {
  Sentences sentences;
  for (const auto& [english, portuguese] : kAsked) {  // a new word gets a number too
    sentences.english.learn(english), sentences.portuguese.learn(portuguese);
  }
  for (const Travellers& who : kTravellers) {
    sentences.english.learn(who.english), sentences.portuguese.learn(who.portuguese);
  }
  show("the grammar of the page", sentences);
  for (const Travellers& who : kTravellers) {
    for (const Phrase& where : kCountries) {
      for (const Phrase& month : kMonths) {
        const std::string visit = who.portuguese + " visitar " + where.portuguese;
        sentences.train[kTrip].push_back(
            {kTrip,
             who.english + " visiting " + where.english + " in " + month.english + ".",
             {visit + " em " + month.portuguese + ".",
              "Em " + month.portuguese + ", " + visit + "."},
             {0.5, 0.5}});
      }
    }
  }
  show("with the travellers", sentences);
}
