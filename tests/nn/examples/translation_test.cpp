#include "nn/examples/translation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "nn/data/items.h"
#include "nn/data/split.h"
#include "nn/data/words.h"
#include "nn/examples/draws.h"
#include "nn/examples/translation_grammar.h"
#include "nn/text/utf8.h"
#include "tests/nn/digest.h"

using namespace gradus;

namespace {

using Strings = std::vector<std::string>;

std::uint64_t digest(const std::vector<SentencePair>& pairs) {
  Digest digest;
  for (const SentencePair& pair : pairs) {
    digest.add(pair.source);
    for (const std::string& target : pair.targets) digest.add(target);
  }
  return digest.value();
}

bool contains(const std::set<std::string>& set, const std::string& word) {
  return set.count(word) > 0;
}

/// Whether the adjective or participle of a sentence with a copula agrees with the subject in its
/// first words. True for sentences without a copula.
bool agrees(const std::string& sentence) {
  static const std::set<std::string> kCopulas = {
      "estou",   "está",      "estamos", "estão", "estava", "estávamos", "estavam", "estará",
      "estarei", "estaremos", "estarão", "foi",   "foram",  "será",      "serão"};
  static const std::set<std::string> kFeminine = {"a",     "as",      "minha",  "minhas", "nossa",
                                                  "ela",   "elas",    "ana",    "maria",  "sofia",
                                                  "clara", "beatriz", "helena", "laura",  "teresa"};
  static const std::set<std::string> kPlural = {"os",   "as",   "meus", "minhas",
                                                "eles", "elas", "nós"};
  static const std::set<std::string> kStems = {"cansad",  "pront",  "preocupad", "ocupad",
                                               "comprad", "vendid", "lavad",     "pintad",
                                               "comid",   "abert",  "escrit",    "lid"};
  const Strings words = split_words(sentence, Case::kLower);
  const bool feminine = contains(kFeminine, words[0]), plural = contains(kPlural, words[0]);
  const bool open_gender = words[0] == "eu" || words[0] == "nós";
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (!contains(kCopulas, words[i])) continue;
    const std::string& word = words[words[i + 1] == "muito" ? i + 2 : i + 1];
    const std::size_t end = word.find_last_not_of("aos");
    if (word == "doente" || word == "feliz") return !plural;
    if (word == "doentes" || word == "felizes") return plural;
    if (end == std::string::npos || !contains(kStems, word.substr(0, end + 1))) continue;
    const std::string ending = word.substr(end + 1), number = plural ? "s" : "";
    if (open_gender && (ending == "o" + number || ending == "a" + number)) return true;
    return ending == (feminine ? "a" : "o") + number;
  }
  return true;
}

}  // namespace

TEST_CASE("translation: as many different pairs as asked for, the same for a seed") {
  const auto pairs = translation_pairs(8000, 1);
  CHECK(pairs.size() == 8000);
  std::set<std::string> sources;
  for (const SentencePair& pair : pairs) {
    sources.insert(pair.source);
    CHECK(pair.targets.size() >= 1);
    CHECK(pair.targets.size() <= 2);
  }
  CHECK(sources.size() == 8000);
  CHECK(digest(pairs) == digest(translation_pairs(8000, 1)));
  CHECK(digest(pairs) != digest(translation_pairs(8000, 2)));
  CHECK(digest(pairs) == 4836092407102624659U);  // the same on every compiler and machine
  const auto fewer = translation_pairs(100, 1);
  CHECK(digest(fewer) == digest({pairs.begin(), pairs.begin() + 100}));
}

TEST_CASE("translation: the course's example, held out and never trained on") {
  const SentencePair example = course_example();
  CHECK(example.source == "Lucas is visiting Chile in January.");
  CHECK(example.targets ==
        Strings{"Lucas irá visitar o Chile em Janeiro.", "Em Janeiro, Lucas irá visitar o Chile."});
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto data = translation_data(8000, 0.1, seed);
    CHECK(data.train.size() + data.held_out.size() == 8000);
    CHECK(data.held_out.size() == 801);
    CHECK(data.held_out[0].source == example.source);
    std::set<std::string> trained, words;
    for (const SentencePair& pair : data.train) {
      trained.insert(pair.source);
      for (const std::string& word : split_words(pair.source)) words.insert(word);
      for (const std::string& target : pair.targets) {
        for (const std::string& word : split_words(target)) words.insert(word);
      }
    }
    for (const SentencePair& pair : data.held_out) {
      CHECK_FALSE(contains(trained, pair.source));
      for (const std::string& word : split_words(pair.source)) CHECK(contains(words, word));
      for (const std::string& target : pair.targets) {
        for (const std::string& word : split_words(target)) CHECK(contains(words, word));
      }
    }
  }
}

TEST_CASE("translation: subject, adjective and participle agree, and all is UTF-8") {
  CHECK(agrees("As portas brancas foram abertas por Ana."));
  CHECK_FALSE(agrees("As portas brancas foram abertos por Ana."));
  CHECK_FALSE(agrees("Ela não está muito cansado."));
  CHECK_FALSE(agrees("Os meninos estão feliz."));
  std::size_t open = 0, accented = 0;
  for (const SentencePair& pair : translation_pairs(12000, 5)) {
    CHECK_NOTHROW(utf8_decode(pair.source));
    for (const std::string& target : pair.targets) {
      CAPTURE(target);
      CHECK(agrees(target));
      CHECK_NOTHROW(utf8_decode(target));
      accented += std::ranges::any_of(target, [](char c) { return c < 0; });
    }
    open += pair.targets.size() == 2;
  }
  CHECK(open > 2400);  // a fifth of the sources have two translations
  CHECK(accented > 4000);
}

TEST_CASE("translation: articles, numerals and adjectives agree with their noun") {
  using namespace grammar;
  std::map<std::string, std::pair<Gender, bool>> nouns;
  for (const Noun& noun : kNouns) {
    nouns[noun.portuguese] = {noun.gender, false};
    nouns[noun.portuguese_plural] = {noun.gender, true};
  }
  std::map<std::string, std::set<std::string>> allowed;  // words allowed before or after a noun
  for (const auto& [noun, form] : nouns) {
    const auto& [gender, plural] = form;
    for (const Adjective& adjective : kAdjectives) {
      allowed[noun].insert(agreeing(adjective.portuguese, gender, plural));
    }
    const std::string a = article(gender, plural);
    allowed[noun].insert({a, "d" + a, gender == kFeminine ? "uma" : "um"});
    if (plural) allowed[noun].insert(gender == kFeminine ? "duas" : "dois");
  }
  std::set<std::string> all;
  for (const auto& [noun, words] : allowed) all.insert(words.begin(), words.end());
  std::size_t met = 0;
  for (const SentencePair& pair : translation_pairs(8000, 5)) {
    for (const std::string& target : pair.targets) {
      CAPTURE(target);
      const Strings words = split_words(target, Case::kLower);
      for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const auto noun = nouns.find(words[i]);
        if (noun == nouns.end()) continue;
        for (const std::string& beside : {i > 0 ? words[i - 1] : "", words[i + 1]}) {
          if (!contains(all, beside)) continue;
          CHECK(contains(allowed[noun->first], beside));
          ++met;
        }
      }
    }
  }
  CHECK(met > 4000);
}

TEST_CASE("translation: articles contract, and countries keep theirs") {
  using namespace grammar;
  const std::set<std::string> articles = {"o", "a", "os", "as"};
  const std::set<std::string> contracting = {"de", "em", "por"};
  for (const SentencePair& pair : translation_pairs(12000, 5)) {
    for (const std::string& target : pair.targets) {
      CAPTURE(target);
      const Strings words = split_words(target);
      for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        CHECK_FALSE((contains(contracting, words[i]) && contains(articles, words[i + 1])));
        CHECK_FALSE((words[i] == "a" && contains(articles, words[i + 1])));
      }
      CHECK(target.find(" o Portugal") == std::string::npos);
      CHECK(target.find("visitar França") == std::string::npos);
    }
  }
  CHECK(contracted("em", {"os", "Estados Unidos"}) == "nos Estados Unidos");
  CHECK(contracted("a", {"a", "praia"}) == "à praia");
  CHECK(contracted("a", {"os", "parques"}) == "aos parques");
  CHECK(contracted("a", {"as", "praias"}) == "às praias");
  CHECK(contracted("de", {"", "Portugal"}) == "de Portugal");
  CHECK(contracted("por", {"as", "meninas"}) == "pelas meninas");
  CHECK(contracted("", {"a", "Índia"}) == "a Índia");
}

TEST_CASE("translation: verbs and adjectives have the forms of the grammar books") {
  using namespace grammar;
  using Four = std::array<std::string, 4>;
  const Forms buy = regular("comprar"), sell = regular("vender"), open = regular("abrir");
  CHECK(buy.present == Four{"compro", "compra", "compramos", "compram"});
  CHECK(buy.past == Four{"comprei", "comprou", "compramos", "compraram"});
  CHECK(buy.future == Four{"comprarei", "comprará", "compraremos", "comprarão"});
  CHECK(sell.past == Four{"vendi", "vendeu", "vendemos", "venderam"});
  CHECK(sell.gerund == "vendendo");
  CHECK(open.present == Four{"abro", "abre", "abrimos", "abrem"});
  CHECK(open.past == Four{"abri", "abriu", "abrimos", "abriram"});
  const Forms& read = kVerbs.back().portuguese;
  CHECK(read.present == Four{"leio", "lê", "lemos", "leem"});
  CHECK(read.past == Four{"li", "leu", "lemos", "leram"});
  CHECK(agreeing("azul", kFeminine, true) == "azuis");
  CHECK(agreeing("feliz", kMasculine, true) == "felizes");
  CHECK(agreeing("grande", kFeminine, false) == "grande");
  CHECK(agreeing("escrito", kFeminine, true) == "escritas");
}

TEST_CASE("divide: items of one text stay together, and every item is on one side") {
  std::vector<SentencePair> pairs;
  for (int i = 0; i < 300; ++i) pairs.push_back({std::to_string(i % 100), {std::to_string(i)}});
  const auto data = divide(pairs, &SentencePair::source, 0.2, 3);
  CHECK(data.train.size() == 240);
  CHECK(data.held_out.size() == 60);
  std::set<std::string> held;
  for (const SentencePair& pair : data.held_out) held.insert(pair.source);
  CHECK(held.size() == 20);
  for (const SentencePair& pair : data.train) CHECK_FALSE(contains(held, pair.source));
  CHECK(divide(pairs, &SentencePair::source, 0.0, 3).held_out.empty());
  CHECK(divide(pairs, &SentencePair::source, 1.0, 3).train.empty());
  CHECK(divide(pairs, &SentencePair::source, 0.2, 4).held_out[0].source != data.held_out[0].source);
  CHECK_THROWS_WITH_AS(divide(pairs, &SentencePair::source, 1.5, 3),
                       doctest::Contains("must be in [0, 1], got 1.5"), std::invalid_argument);
}

TEST_CASE("draw_distinct: too few different items are an error") {
  const auto make = [](std::uint32_t draw, std::size_t) {
    return SentencePair{std::to_string(draw % 7), {"x"}};
  };
  CHECK(draw_distinct("set", 7, &SentencePair::source, make).size() == 7);
  CHECK_THROWS_WITH_AS(draw_distinct("set", 8, &SentencePair::source, make),
                       "set: needs 8 different items, found 7 (ask for fewer)",
                       std::invalid_argument);
}
