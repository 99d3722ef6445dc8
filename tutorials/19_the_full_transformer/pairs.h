/// @file
/// Chapter 19's data: English sentences of a small grammar with all their right translations into
/// Portuguese, two vocabularies of words, and batches. Include transformer.h first: the chapter's
/// or the reader's.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace pocket;

/// The subject of a sentence. Each kind has its own pattern.
enum Kind { kTrip, kState, kThey, kPurchase, kMeeting };
inline const std::vector<std::string> kKinds = {"trip", "state", "they", "purchase", "meeting"};

/// A sentence, its right translations, and how often each of them occurs in training.
struct Pair {
  Kind kind;
  std::string source;
  std::vector<std::string> targets;
  std::vector<double> shares;
};

// [vocabulary]
inline constexpr std::int32_t kPadding = 0, kStart = 1, kEnd = 2;

/// The words and punctuation marks of one language, numbered as they occur.
struct Vocabulary {
  std::vector<std::string> words{"<PAD>", "<SOS>", "<EOS>"};
  std::map<std::string, std::int32_t> numbers;

  static std::vector<std::string> split_words(const std::string& sentence) {
    std::vector<std::string> parts(1);
    for (const char c : sentence) {
      if (c == ' ' || c == '.' || c == ',') parts.emplace_back();
      if (c != ' ') parts.back() += c;
    }
    std::erase(parts, "");
    return parts;
  }
  void learn(const std::string& sentence) {
    for (const std::string& word : split_words(sentence)) {
      if (numbers.emplace(word, std::int32_t(words.size())).second) words.push_back(word);
    }
  }
  Index size() const { return std::ssize(words); }
  Tokens encode(const std::string& sentence) const {
    Tokens tokens;
    for (const std::string& word : split_words(sentence)) tokens.push_back(numbers.at(word));
    return tokens;
  }
  /// The sentence, without <SOS>, <EOS> and padding.
  std::string decode(const Tokens& tokens) const {
    std::string sentence;
    for (const std::int32_t token : tokens) {
      if (token <= kEnd) continue;
      const std::string& word = words.at(token);
      if (!sentence.empty() && word != "." && word != ",") sentence += ' ';
      sentence += word;
    }
    return sentence;
  }
  std::vector<std::string> names(const Tokens& tokens) const {
    std::vector<std::string> all;
    for (const std::int32_t token : tokens) all.push_back(words.at(token));
    return all;
  }
};

// [vocabulary]

// [grammar]
/// A noun phrase: English, Portuguese, whether it is feminine, and whether it is plural.
struct Phrase {
  std::string english, portuguese;
  bool feminine = false, plural = false;
};

inline const std::vector<Phrase> kNames = {{"Lucas", "Lucas"},       {"Pedro", "Pedro"},
                                           {"Miguel", "Miguel"},     {"Rafael", "Rafael"},
                                           {"Ana", "Ana", true},     {"Maria", "Maria", true},
                                           {"Sofia", "Sofia", true}, {"Clara", "Clara", true}};
inline const std::vector<Phrase> kPeople = {{"The boy", "O menino"},
                                            {"The girl", "A menina", true},
                                            {"The boys", "Os meninos", false, true},
                                            {"The girls", "As meninas", true, true},
                                            {"My father", "Meu pai"},
                                            {"My mother", "Minha mãe", true}};
inline const std::vector<Phrase> kCountries = {
    {"Chile", "o Chile"},     {"Brazil", "o Brasil"}, {"Peru", "o Peru"},     {"Japan", "o Japão"},
    {"France", "a França"},   {"Italy", "a Itália"},  {"Spain", "a Espanha"}, {"India", "a Índia"},
    {"Portugal", "Portugal"}, {"Cuba", "Cuba"}};
inline const std::vector<Phrase> kMonths = {
    {"January", "janeiro"}, {"February", "fevereiro"}, {"March", "março"},
    {"April", "abril"},     {"May", "maio"},           {"June", "junho"},
    {"July", "julho"},      {"August", "agosto"},      {"September", "setembro"},
    {"October", "outubro"}, {"November", "novembro"},  {"December", "dezembro"}};
inline const std::vector<Phrase> kStates = {{"tired", "cansado"},   {"worried", "preocupado"},
                                            {"busy", "ocupado"},    {"angry", "zangado"},
                                            {"bored", "entediado"}, {"lost", "perdido"},
                                            {"calm", "calmo"},      {"surprised", "surpreso"},
                                            {"sick", "doente"},     {"happy", "feliz"}};
/// One of a thing; the plurals of both languages add an s.
inline const std::vector<Phrase> kThings = {{"car", "carro"},        {"boat", "barco"},
                                            {"book", "livro"},       {"chair", "cadeira", true},
                                            {"table", "mesa", true}, {"door", "porta", true}};
inline const std::vector<Phrase> kAdjectives = {{"red", "vermelho"}, {"white", "branco"},
                                                {"new", "novo"},     {"old", "velho"},
                                                {"big", "grande"},   {"green", "verde"}};
/// Verbs in the past: of one person, and of several.
struct Verb {
  std::string english, of_one, of_several;
};
inline const std::vector<Verb> kTrades = {{"bought", "comprou", "compraram"},
                                          {"sold", "vendeu", "venderam"},
                                          {"painted", "pintou", "pintaram"}};
inline const std::vector<Verb> kMeetings = {
    {"saw", "viu", ""}, {"called", "chamou", ""}, {"helped", "ajudou", ""}, {"heard", "ouviu", ""}};

/// The adjective as it agrees with a noun.
inline std::string agreeing(const std::string& adjective, bool feminine, bool plural) {
  if (adjective == "feliz") return plural ? "felizes" : adjective;
  std::string word = adjective;
  if (feminine && word.back() == 'o') word.back() = 'a';
  return plural ? word + "s" : word;
}

/// All sentences of the grammar.
inline std::vector<Pair> all_pairs() {
  std::vector<Pair> pairs;
  for (const Phrase& who : kNames) {  // Lucas is visiting Chile in January.
    for (const Phrase& where : kCountries) {
      for (const Phrase& month : kMonths) {
        const std::string visit = who.portuguese + " irá visitar " + where.portuguese;
        const std::string when = "m " + month.portuguese;
        pairs.push_back(
            {kTrip,
             who.english + " is visiting " + where.english + " in " + month.english + ".",
             {visit + " e" + when + ".", "E" + when + ", " + visit + "."},
             {0.5, 0.5}});
      }
    }
  }
  std::vector<Phrase> subjects = kNames;
  subjects.insert(subjects.end(), kPeople.begin(), kPeople.end());
  for (const Phrase& state : kStates) {  // The girls were very tired.
    for (const bool past : {false, true}) {
      for (const bool very : {false, true}) {
        const auto english = [&](const Phrase& who) {
          const char* be = past ? (who.plural ? " were " : " was ") : who.plural ? " are " : " is ";
          return who.english + be + (very ? "very " : "") + state.english + ".";
        };
        const auto portuguese = [&](const Phrase& who) {
          const char* be = past         ? (who.plural ? "estavam " : "estava ")
                           : who.plural ? "estão "
                                        : "está ";
          return who.portuguese + be + (very ? "muito " : "") +
                 agreeing(state.portuguese, who.feminine, who.plural) + ".";
        };
        for (Phrase who : subjects) {
          who.portuguese += " ";
          pairs.push_back({kState, english(who), {portuguese(who)}, {1}});
        }
        // "They" may be of either gender, and Portuguese may leave it out: "Estão cansadas."
        Pair they{kThey, english({"They", "", false, true}), {}, {}};
        for (const bool named : {true, false}) {
          for (const bool feminine : {false, true}) {
            const std::string pronoun = feminine ? "Elas " : "Eles ";
            std::string target = portuguese({"", named ? pronoun : "", feminine, true});
            target.front() = named ? target.front() : 'E';
            const double share = named ? 0.29 : 0.21;
            if (they.targets.empty() || they.targets.back() != target) {
              they.targets.push_back(target), they.shares.push_back(share);
            } else {
              they.shares.back() += share;
            }
          }
        }
        pairs.push_back(they);
      }
    }
  }
  for (const Phrase& who : subjects) {  // Ana bought two red cars.
    for (const Verb& verb : kTrades) {
      for (const Phrase& thing : kThings) {
        for (const Phrase& adjective : kAdjectives) {
          for (const std::string article : {"a", "the", "two"}) {
            const bool two = article == "two", feminine = thing.feminine;
            const std::string an = article == "a" && adjective.english == "old" ? "an" : article;
            const std::string translated = two                ? (feminine ? "duas" : "dois")
                                           : article == "the" ? (feminine ? "a" : "o")
                                                              : (feminine ? "uma" : "um");
            const std::string s = two ? "s" : "";
            pairs.push_back({kPurchase,
                             who.english + " " + verb.english + " " + an + " " + adjective.english +
                                 " " + thing.english + s + ".",
                             {who.portuguese + " " + (who.plural ? verb.of_several : verb.of_one) +
                              " " + translated + " " + thing.portuguese + s + " " +
                              agreeing(adjective.portuguese, feminine, two) + "."},
                             {1}});
          }
        }
      }
    }
  }
  for (const Phrase& who : kNames) {  // Ana helped Pedro yesterday.
    for (const Phrase& whom : kNames) {
      for (const Verb& verb : kMeetings) {
        for (const bool yesterday : {false, true}) {
          if (who.english == whom.english) continue;
          pairs.push_back({kMeeting,
                           who.english + " " + verb.english + " " + whom.english +
                               (yesterday ? " yesterday." : "."),
                           {who.portuguese + " " + verb.of_one + " " + whom.portuguese +
                            (yesterday ? " ontem." : ".")},
                           {1}});
        }
      }
    }
  }
  return pairs;
}

// [grammar]

// [sentences]
inline const std::string kChile = "Lucas is visiting Chile in January.";
inline const std::string kTired = "They are tired.";

/// Sentences by kind, for training and held out. Held out are a tenth, and the page's examples.
struct Sentences {
  Sentences() {
    const std::vector<Pair> pairs = all_pairs();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Pair& pair = pairs[i];
      const bool ours = pair.source == kChile || pair.source == kTired;
      const bool out = ours || uniform_index({.seed = 19}, Index(i), 10) == 0;
      (out ? held_out : train)[pair.kind].push_back(pair);
      if (out) continue;
      english.learn(pair.source);
      for (const std::string& target : pair.targets) portuguese.learn(target);
    }
  }
  const Pair& find(const std::string& source) const {
    for (const auto& kind : held_out) {
      for (const Pair& pair : kind) {
        if (pair.source == source) return pair;
      }
    }
    throw std::invalid_argument("no such sentence is held out: " + source);
  }
  std::vector<Pair> train[5], held_out[5];
  Vocabulary english, portuguese;
};

/// Some sentences with one translation each, as words.
struct Drawn {
  std::vector<Tokens> sources, targets;  // of unequal lengths, without <SOS> and <EOS>
};

/// Draws sentences of all kinds in turn, and one translation of each.
inline Drawn draw(const Sentences& sentences, Index count, const RandomKey& key) {
  Drawn drawn;
  const Tensor shares = uniform({count}, {key.seed, key.step, key.place + 1});
  for (Index i = 0; i < count; ++i) {
    const std::vector<Pair>& kind = sentences.train[i % 5];
    const Pair& pair = kind[uniform_index(key, i, std::ssize(kind))];
    double rest = shares.data()[i];
    std::size_t k = 0;
    while (k + 1 < pair.targets.size() && rest >= pair.shares[k]) rest -= pair.shares[k++];
    drawn.sources.push_back(sentences.english.encode(pair.source));
    drawn.targets.push_back(sentences.portuguese.encode(pair.targets[k]));
  }
  return drawn;
}

// [sentences]

// [floors]
/// The least mean losses per token that any model can reach on sentences from `draw`: the entropy
/// of the translation, if the source is seen and without it.
struct Floors {
  explicit Floors(const Sentences& sentences) {
    const auto entropy = [](double p) { return p > 0 ? -p * std::log(p) : 0; };
    std::map<std::string, double> unseen;  // P of each translation
    double tokens = 0;
    for (int kind = 0; kind < 5; ++kind) {
      const double drawn = (kind == 0 ? 4.0 : 3.0) / 16;  // of a batch of 16
      const auto& pairs = sentences.train[kind];
      for (const Pair& pair : pairs) {
        for (std::size_t i = 0; i < pair.targets.size(); ++i) {
          const double p = drawn * pair.shares[i] / double(pairs.size());
          seen += drawn * entropy(pair.shares[i]) / double(pairs.size());
          unseen[pair.targets[i]] += p;
          tokens += p * double(Vocabulary::split_words(pair.targets[i]).size() + 1);  // <EOS>
        }
      }
    }
    for (const auto& [target, p] : unseen) without += entropy(p) / tokens;
    seen /= tokens;
  }
  double seen = 0, without = 0;
};
// [floors]

/// Rows of tokens, filled up to the longest: [B, T].
inline IndexTensor padded(const std::vector<Tokens>& rows, std::int32_t fill) {
  std::size_t longest = 0;
  for (const Tokens& row : rows) longest = std::max(longest, row.size());
  Tokens all;
  for (Tokens row : rows) {
    row.resize(longest, fill);
    all.insert(all.end(), row.begin(), row.end());
  }
  return IndexTensor({std::ssize(rows), Index(longest)}, all);
}

// [rows]
struct Rows {
  IndexTensor src, src_mask;  // [B, S], [B, 1, 1, S]
  IndexTensor trg, next;      // [B, T]: the decoder's input, and its targets
};

inline Rows rows_of(const Drawn& drawn) {
  std::vector<Tokens> inputs, outputs;
  for (const Tokens& target : drawn.targets) {
    inputs.push_back(target), outputs.push_back(target);
    inputs.back().insert(inputs.back().begin(), kStart);  // <SOS> Lucas irá ... .
    outputs.back().push_back(kEnd);                       // Lucas irá ... . <EOS>
  }
  const IndexTensor src = padded(drawn.sources, kPadding);
  return {src, padding_mask(src, kPadding), padded(inputs, kPadding), padded(outputs, -100)};
}
// [rows]

inline IndexTensor one_row(const Tokens& tokens) {
  return IndexTensor({1, std::ssize(tokens)}, tokens);
}

inline const WriteLimits kLimits{.begin = kStart, .end = kEnd, .max_tokens = 14};

/// ln P of one given translation.
inline double log_probability(const Transformer& model, const Sentences& sentences,
                              const std::string& source, const std::string& target) {
  const NoGrad no_grad;
  const Rows rows =
      rows_of({{sentences.english.encode(source)}, {sentences.portuguese.encode(target)}});
  const Tensor mean_loss = cross_entropy(model(rows.src, rows.trg), rows.next);
  return -double{mean_loss.item()} * double(rows.next.size());
}

// [judge]
/// Counts of right and wrong translations of held-out sentences.
struct Judged {
  double log_p = 0;  // the sum of ln P of the translations
  int sentences = 0, right = 0;
  int preferred = 0;  // wrong ones that are more probable than each right translation
};

/// Adds up to 30 sentences of one kind. Any of the right translations counts.
inline void judge(Judged& judged, const Transformer& model, const Sentences& sentences, int kind,
                  int width) {
  const auto& pairs = sentences.held_out[kind];
  for (std::size_t i = 0; i < std::min<std::size_t>(pairs.size(), 30); ++i) {
    const Pair& pair = pairs[i];
    const IndexTensor src = one_row(sentences.english.encode(pair.source));
    const Hypothesis best = beam_search(model, src, kLimits, width).front();
    judged.log_p += best.log_probability;
    ++judged.sentences;
    const std::string translation = sentences.portuguese.decode(best.tokens);
    if (std::count(pair.targets.begin(), pair.targets.end(), translation) > 0) {
      ++judged.right;
      continue;
    }
    judged.preferred += std::ranges::all_of(pair.targets, [&](const std::string& target) {
      return log_probability(model, sentences, pair.source, target) < best.log_probability;
    });
  }
}

/// Judges all kinds.
inline Judged judge(const Transformer& model, const Sentences& sentences, int width) {
  Judged judged;
  for (int kind = 0; kind < 5; ++kind) judge(judged, model, sentences, kind, width);
  return judged;
}
// [judge]

// [bleu]
/// BLEU, 0 to 1 (Papineni and others, 2002): the geometric mean of the shares of runs of 1 to 4
/// words that are in a right translation. A run counts at most as often as one right translation
/// has it. BLEU is lower if the translations are shorter than the right ones.
inline double bleu(const Transformer& model, const Sentences& sentences, int width) {
  using Words = std::vector<std::string>;
  const auto runs = [](const Words& words, std::size_t n) {
    std::map<Words, int> counts;
    for (std::size_t i = 0; i + n <= words.size(); ++i) {
      ++counts[{words.begin() + Index(i), words.begin() + Index(i + n)}];
    }
    return counts;
  };
  double shared[4] = {}, all[4] = {}, written = 0, right = 0;
  for (const auto& kind : sentences.held_out) {
    for (std::size_t i = 0; i < std::min<std::size_t>(kind.size(), 30); ++i) {
      const IndexTensor src = one_row(sentences.english.encode(kind[i].source));
      const Tokens tokens = beam_search(model, src, kLimits, width).front().tokens;
      const Words words = Vocabulary::split_words(sentences.portuguese.decode(tokens));
      Words nearest = Vocabulary::split_words(kind[i].targets[0]);
      for (std::size_t n = 1; n <= 4; ++n) {
        std::map<Words, int> most;
        for (const std::string& target : kind[i].targets) {
          const Words other = Vocabulary::split_words(target);
          for (const auto& [run, count] : runs(other, n)) most[run] = std::max(most[run], count);
          const auto distance = [&](const Words& x) {
            return std::abs(std::ssize(x) - std::ssize(words));
          };
          if (distance(other) < distance(nearest)) nearest = other;
        }
        for (const auto& [run, count] : runs(words, n)) {
          shared[n - 1] += std::min(count, most[run]), all[n - 1] += count;
        }
      }
      written += double(words.size()), right += double(nearest.size());
    }
  }
  double logarithms = std::min(0.0, 1 - right / written);
  for (int n = 0; n < 4; ++n) logarithms += std::log(shared[n] / all[n]) / 4;
  return std::exp(logarithms);
}
// [bleu]

// [guessed]
/// How often a guess is right for the article and the noun of a purchase, Ana bought [two] red
/// [cars]. The guess is one of the words that can follow in the grammar, given the source without
/// word number `hidden` and the translation before.
inline std::vector<double> guessed(const Sentences& sentences, std::size_t hidden) {
  using Words = std::vector<std::string>;
  std::map<Words, std::set<std::string>> possible;
  const auto for_each = [&](const std::vector<Pair>& pairs, const auto& use) {
    for (const Pair& pair : pairs) {
      Words known = Vocabulary::split_words(pair.source);
      const Words target = Vocabulary::split_words(pair.targets[0]);
      if (known.size() != 6) continue;
      if (hidden > 0) known[hidden - 1] = "";
      for (std::size_t t = 0; t < 4; ++t) {
        if (t >= 2) use(t - 2, known, target[t]);
        known.push_back(target[t]);
      }
    }
  };
  const auto add = [&](std::size_t, const Words& known, const std::string& next) {
    possible[known].insert(next);
  };
  for_each(sentences.train[kPurchase], add), for_each(sentences.held_out[kPurchase], add);
  std::vector<double> right(2), all(2);
  for_each(sentences.held_out[kPurchase],
           [&](std::size_t place, const Words& known, const std::string&) {
             right[place] += 1.0 / double(possible[known].size()), ++all[place];
           });
  return {right[0] / all[0], right[1] / all[1]};
}
// [guessed]

/// The English word for a Portuguese name, country, month or thing; nothing for other words.
inline std::string meaning(const std::string& portuguese) {
  static const std::map<std::string, std::string> dictionary = [] {
    std::map<std::string, std::string> words;
    for (const auto* phrases : {&kNames, &kCountries, &kMonths, &kThings}) {
      for (const Phrase& phrase : *phrases) {
        const std::string last = phrase.portuguese.substr(phrase.portuguese.rfind(' ') + 1);
        words[last] = phrase.english;
        if (phrases == &kThings) words[last + "s"] = phrase.english + "s";
      }
    }
    return words;
  }();
  return dictionary.contains(portuguese) ? dictionary.at(portuguese) : "";
}
