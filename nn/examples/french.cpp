#include <array>
#include <string_view>

#include "nn/examples/draws.h"
#include "nn/examples/prompts.h"

namespace gradus {
namespace {

/// The person of a verb: je, il or elle, nous, ils or elles.
enum Person { kJe, kIl, kNous, kIls };

struct Subject {
  std::string english, french;
  Person person;
  bool feminine;
};

/// The first two do not show their gender and therefore have no adjectives.
const std::vector<Subject> kSubjects = {
    {"I", "je", kJe, false},
    {"we", "nous", kNous, false},
    {"he", "il", kIl, false},
    {"she", "elle", kIl, true},
    {"Paul", "Paul", kIl, false},
    {"Marie", "Marie", kIl, true},
    {"the boy", "le garçon", kIl, false},
    {"the girl", "la fille", kIl, true},
    {"my brother", "mon frère", kIl, false},
    {"my sister", "ma sœur", kIl, true},
    {"the boys", "les garçons", kIls, false},
    {"the women", "les femmes", kIls, true},
};

/// Kinds of nouns, to match verbs and adjectives with.
enum Kind { kFood = 1, kClothes = 2, kThings = 4 };

struct Noun {
  std::string english, english_plural, french, french_plural;
  bool feminine;
  int kind;
};
const std::vector<Noun> kNouns = {
    {"apple", "apples", "pomme", "pommes", true, kFood},
    {"orange", "oranges", "orange", "oranges", true, kFood},
    {"cake", "cakes", "gâteau", "gâteaux", false, kFood},
    {"melon", "melons", "melon", "melons", false, kFood},
    {"dress", "dresses", "robe", "robes", true, kClothes},
    {"shirt", "shirts", "chemise", "chemises", true, kClothes},
    {"hat", "hats", "chapeau", "chapeaux", false, kClothes},
    {"coat", "coats", "manteau", "manteaux", false, kClothes},
    {"house", "houses", "maison", "maisons", true, kThings},
    {"car", "cars", "voiture", "voitures", true, kThings},
    {"boat", "boats", "bateau", "bateaux", false, kThings},
    {"armchair", "armchairs", "fauteuil", "fauteuils", false, kThings},
    {"umbrella", "umbrellas", "parapluie", "parapluies", false, kThings},
    {"cupboard", "cupboards", "armoire", "armoires", true, kThings},
};

/// An adjective in the masculine and feminine singular. Few come before their noun.
struct Adjective {
  std::string english, masculine, feminine;
  bool before;
  int kinds;
};
const std::vector<Adjective> kAdjectives = {
    {"red", "rouge", "rouge", false, kFood | kClothes | kThings},
    {"green", "vert", "verte", false, kFood | kClothes | kThings},
    {"white", "blanc", "blanche", false, kClothes | kThings},
    {"black", "noir", "noire", false, kClothes | kThings},
    {"expensive", "cher", "chère", false, kFood | kClothes | kThings},
    {"small", "petit", "petite", true, kFood | kClothes | kThings},
    {"big", "grand", "grande", true, kFood | kClothes | kThings},
};
const std::vector<Adjective> kStates = {
    {"tired", "fatigué", "fatiguée", false, 0}, {"ready", "prêt", "prête", false, 0},
    {"happy", "content", "contente", false, 0}, {"sad", "triste", "triste", false, 0},
    {"busy", "occupé", "occupée", false, 0},    {"sick", "malade", "malade", false, 0},
};

struct Verb {
  std::string english, third_person;
  std::array<std::string, 4> french;  // by Person
  int kinds;
};
const std::vector<Verb> kVerbs = {
    {"see", "sees", {"vois", "voit", "voyons", "voient"}, kFood | kClothes | kThings},
    {"buy", "buys", {"achète", "achète", "achetons", "achètent"}, kFood | kClothes | kThings},
    {"sell", "sells", {"vends", "vend", "vendons", "vendent"}, kFood | kClothes | kThings},
    {"look for", "looks for", {"cherche", "cherche", "cherchons", "cherchent"}, kClothes | kThings},
    {"eat", "eats", {"mange", "mange", "mangeons", "mangent"}, kFood},
    {"wear", "wears", {"porte", "porte", "portons", "portent"}, kClothes},
    {"like", "likes", {"aime", "aime", "aimons", "aiment"}, kFood | kClothes | kThings},
    {"have", "has", {"ai", "a", "avons", "ont"}, kClothes | kThings},
};
constexpr std::string_view kAm[] = {"am", "is", "are", "are"};
const std::array<std::string, 4> kEtre = {"suis", "est", "sommes", "sont"};
const std::array<std::string, 4> kAller = {"vais", "va", "allons", "vont"};

/// Destinations, with the contraction of à.
const std::vector<std::array<std::string, 2>> kPlaces = {
    {"the market", "au marché"},  {"the museum", "au musée"},  {"the park", "au parc"},
    {"the station", "à la gare"}, {"the beach", "à la plage"}, {"the pharmacy", "à la pharmacie"},
    {"the school", "à l'école"},  {"the hotel", "à l'hôtel"},  {"the church", "à l'église"},
};

/// Whether a word begins with a vowel sound; covers this grammar's words only.
bool vowel_first(std::string_view word) {
  for (const std::string_view start : {"a", "e", "i", "o", "u", "é", "hô"}) {
    if (word.starts_with(start)) return true;
  }
  return false;
}

/// Joins je, ne, le or la and the next word, with elision: "j'ai", "l'orange".
std::string elided(const std::string& small, const std::string& next) {
  const bool vowel_goes = small == "je" || small == "ne" || small == "le" || small == "la";
  if (!vowel_goes || !vowel_first(next)) return small + " " + next;
  return small.substr(0, 1) + "'" + next;
}

struct Phrase {
  std::string english, french;
};

enum Determiner { kA, kTwo, kThe, kTheMany, kMy };

Phrase draw_object(int kinds, Determiner determiner, Draws& draws) {
  std::vector<const Noun*> nouns;
  for (const Noun& noun : kNouns) {
    if (noun.kind & kinds) nouns.push_back(&noun);
  }
  const Noun& noun = *draws.pick(nouns);
  const bool plural = determiner == kTwo || determiner == kTheMany;
  std::string english = plural ? noun.english_plural : noun.english;
  std::string french = plural ? noun.french_plural : noun.french;
  if (draws.chance(60)) {
    std::vector<const Adjective*> adjectives;
    for (const Adjective& adjective : kAdjectives) {
      if (adjective.kinds & noun.kind) adjectives.push_back(&adjective);
    }
    const Adjective& adjective = *draws.pick(adjectives);
    const std::string agreeing =
        (noun.feminine ? adjective.feminine : adjective.masculine) + (plural ? "s" : "");
    english = adjective.english + " " + english;
    french = adjective.before ? agreeing + " " + french : french + " " + agreeing;
  }
  switch (determiner) {
    case kA:
      return {with_article(english), (noun.feminine ? "une " : "un ") + french};
    case kTwo:
      return {"two " + english, "deux " + french};
    case kThe:
      return {"the " + english, elided(noun.feminine ? "la" : "le", french)};
    case kTheMany:
      return {"the " + english, "les " + french};
    default:  // ma becomes mon before a vowel: "mon orange"
      return {"my " + english, (noun.feminine && !vowel_first(french) ? "ma " : "mon ") + french};
  }
}

/// Joins subject and verb, negated if `denied`: "je vois", "j'ai", "il n'aime pas".
std::string said(const Subject& subject, const std::string& verb, bool denied) {
  if (!denied) return elided(subject.french, verb);
  return subject.french + " " + elided("ne", verb) + " pas";
}

Phrase draw_sentence(Draws& draws) {
  // Draw the two subjects whose verbs have forms of their own more often.
  const Subject& subject = kSubjects[draws.below(draws.chance(30) ? 2 : kSubjects.size())];
  const bool third = subject.person == kIl;
  const bool denied = draws.chance(25);
  const std::size_t form = draws.below(10);
  if (form < 2 && subject.french != "je" && subject.french != "nous") {
    const Adjective& state = draws.pick(kStates);
    const std::string agreeing =
        (subject.feminine ? state.feminine : state.masculine) + (subject.person == kIls ? "s" : "");
    return {subject.english + " " + std::string(kAm[subject.person]) + (denied ? " not " : " ") +
                state.english,
            said(subject, kEtre[subject.person], denied) + " " + agreeing};
  }
  if (form < 4) {
    const auto& [place, endroit] = draws.pick(kPlaces);
    const std::string go = denied ? (third ? "does not go" : "do not go") : third ? "goes" : "go";
    return {subject.english + " " + go + " to " + place,
            said(subject, kAller[subject.person], denied) + " " + endroit};
  }
  const Verb& verb = draws.pick(kVerbs);
  // "have" takes an indefinite object, "like" a definite one. A negated "un" would be "de".
  const bool has = verb.english == "have", likes = verb.english == "like";
  const bool negative = denied && !has;
  std::vector<Determiner> choices = {kA, kTwo, kThe, kTheMany, kMy};
  if (has) choices = {kA, kTwo};
  if (likes || negative) choices = {kThe, kTheMany, kMy};
  const Phrase object = draw_object(verb.kinds, draws.pick(choices), draws);
  const std::string does = negative ? (third ? "does not " : "do not ") + verb.english
                           : third  ? verb.third_person
                                    : verb.english;
  return {subject.english + " " + does + " " + object.english,
          said(subject, verb.french[subject.person], negative) + " " + object.french};
}

}  // namespace

std::vector<Prompt> french_prompts(std::size_t count, std::uint64_t seed) {
  return draw_distinct("french_prompts", count, &Prompt::prompt,
                       [&](std::uint32_t draw, std::size_t) {
                         Draws draws(data_key(seed, DataSet::kFrench, draw));
                         const Phrase sentence = draw_sentence(draws);
                         return Prompt{capitalised(sentence.english) + ". <to-fr>",
                                       " " + capitalised(sentence.french) + ".", "to-fr"};
                       });
}

}  // namespace gradus
