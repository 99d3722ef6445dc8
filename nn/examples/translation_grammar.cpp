#include "nn/examples/translation_grammar.h"

#include <map>

#include "autograd/check.h"

namespace gradus::grammar {
using namespace detail;
namespace {

bool ends_with(const std::string& word, const std::string& end) { return word.ends_with(end); }

std::string without_last(const std::string& word, std::size_t letters) {
  return word.substr(0, word.size() - letters);
}

/// A regular verb with an irregular participle.
Forms with_participle(const std::string& infinitive, const std::string& participle) {
  Forms forms = regular(infinitive);
  forms.participle = participle;
  return forms;
}

/// A verb that is regular except in the present.
Forms with_present(const std::string& infinitive, const std::array<std::string, 4>& present) {
  Forms forms = regular(infinitive);
  forms.present = present;
  return forms;
}

}  // namespace

Forms regular(const std::string& infinitive) {
  struct Endings {
    std::array<std::string, 4> present, past;
    std::string gerund, participle;
  };
  static const std::map<std::string, Endings> kEndings = {
      {"ar", {{"o", "a", "amos", "am"}, {"ei", "ou", "amos", "aram"}, "ando", "ado"}},
      {"er", {{"o", "e", "emos", "em"}, {"i", "eu", "emos", "eram"}, "endo", "ido"}},
      {"ir", {{"o", "e", "imos", "em"}, {"i", "iu", "imos", "iram"}, "indo", "ido"}}};
  static const std::array<std::string, 4> kFuture = {"ei", "á", "emos", "ão"};
  const std::string stem = without_last(infinitive, 2);
  const Endings& endings = kEndings.at(infinitive.substr(stem.size()));
  Forms forms{{}, {}, {}, stem + endings.gerund, stem + endings.participle};
  for (std::size_t person = 0; person < 4; ++person) {
    forms.present[person] = stem + endings.present[person];
    forms.past[person] = stem + endings.past[person];
    forms.future[person] = infinitive + kFuture[person];
  }
  return forms;
}

std::string contracted(const std::string& preposition, const Named& name) {
  static const std::map<std::string, std::map<std::string, std::string>> kContractions = {
      {"", {{"o", "o"}, {"a", "a"}, {"os", "os"}, {"as", "as"}}},
      {"a", {{"o", "ao"}, {"a", "à"}, {"os", "aos"}, {"as", "às"}}},
      {"de", {{"o", "do"}, {"a", "da"}, {"os", "dos"}, {"as", "das"}}},
      {"em", {{"o", "no"}, {"a", "na"}, {"os", "nos"}, {"as", "nas"}}},
      {"por", {{"o", "pelo"}, {"a", "pela"}, {"os", "pelos"}, {"as", "pelas"}}}};
  const std::string first =
      name.article.empty() ? preposition : kContractions.at(preposition).at(name.article);
  return first.empty() ? name.noun : first + " " + name.noun;
}

std::string agreeing(const std::string& adjective, Gender gender, bool plural) {
  if (ends_with(adjective, "o")) {
    return without_last(adjective, 1) + (gender == kFeminine ? "a" : "o") + (plural ? "s" : "");
  }
  if (!plural) return adjective;
  if (ends_with(adjective, "e")) return adjective + "s";
  if (ends_with(adjective, "z")) return adjective + "es";
  check(ends_with(adjective, "l"), "grammar: the plural of ", adjective, " is not known");
  return without_last(adjective, 1) + "is";
}

std::string article(Gender gender, bool plural) {
  return std::string(gender == kFeminine ? "a" : "o") + (plural ? "s" : "");
}

// Irregular verbs. The past of estar is its imperfect, which describes a past state.
const Forms kEstar = {{"estou", "está", "estamos", "estão"},
                      {"estava", "estava", "estávamos", "estavam"},
                      {"estarei", "estará", "estaremos", "estarão"},
                      "estando",
                      "estado"};
const Forms kSer = {{"sou", "é", "somos", "são"},
                    {"fui", "foi", "fomos", "foram"},
                    {"serei", "será", "seremos", "serão"},
                    "sendo",
                    "sido"};
const Forms kTer = {{"tenho", "tem", "temos", "têm"},
                    {"tive", "teve", "tivemos", "tiveram"},
                    {"terei", "terá", "teremos", "terão"},
                    "tendo",
                    "tido"};
const Forms kIr = {{"vou", "vai", "vamos", "vão"},
                   {"fui", "foi", "fomos", "foram"},
                   {"irei", "irá", "iremos", "irão"},
                   "indo",
                   "ido"};
const Forms kMorar = regular("morar");
const Forms kGostar = regular("gostar");

const std::vector<Verb> kVerbs = {
    {"buy", "buys", "bought", "bought", "buying", regular("comprar"),
     kThing | kPrinted | kClothes | kFood},
    {"sell", "sells", "sold", "sold", "selling", regular("vender"),
     kThing | kPrinted | kClothes | kFood},
    {"wash", "washes", "washed", "washed", "washing", regular("lavar"), kThing | kClothes},
    {"paint", "paints", "painted", "painted", "painting", regular("pintar"), kThing},
    {"eat", "eats", "ate", "eaten", "eating", regular("comer"), kFood},
    {"open", "opens", "opened", "opened", "opening", with_participle("abrir", "aberto"), kOpens},
    {"write", "writes", "wrote", "written", "writing", with_participle("escrever", "escrito"),
     kWritten},
    {"read", "reads", "read", "read", "reading",
     with_present("ler", {"leio", "lê", "lemos", "leem"}), kWritten | kPrinted},
};

const std::vector<Noun> kNouns = {
    {"car", "cars", "carro", "carros", kMasculine, kThing},
    {"boat", "boats", "barco", "barcos", kMasculine, kThing},
    {"bicycle", "bicycles", "bicicleta", "bicicletas", kFeminine, kThing},
    {"chair", "chairs", "cadeira", "cadeiras", kFeminine, kThing},
    {"table", "tables", "mesa", "mesas", kFeminine, kThing},
    {"door", "doors", "porta", "portas", kFeminine, kThing | kOpens},
    {"window", "windows", "janela", "janelas", kFeminine, kThing | kOpens},
    {"box", "boxes", "caixa", "caixas", kFeminine, kThing | kOpens},
    {"book", "books", "livro", "livros", kMasculine, kWritten | kPrinted | kOpens},
    {"letter", "letters", "carta", "cartas", kFeminine, kWritten | kOpens},
    {"poem", "poems", "poema", "poemas", kMasculine, kWritten},
    {"newspaper", "newspapers", "jornal", "jornais", kMasculine, kPrinted},
    {"magazine", "magazines", "revista", "revistas", kFeminine, kPrinted},
    {"shirt", "shirts", "camisa", "camisas", kFeminine, kClothes},
    {"skirt", "skirts", "saia", "saias", kFeminine, kClothes},
    {"dress", "dresses", "vestido", "vestidos", kMasculine, kClothes},
    {"coat", "coats", "casaco", "casacos", kMasculine, kClothes},
    {"apple", "apples", "maçã", "maçãs", kFeminine, kFood},
    {"orange", "oranges", "laranja", "laranjas", kFeminine, kFood},
    {"cake", "cakes", "bolo", "bolos", kMasculine, kFood},
    {"melon", "melons", "melão", "melões", kMasculine, kFood},
};

const std::vector<Adjective> kAdjectives = {
    {"red", "vermelho", kThing | kClothes},
    {"white", "branco", kThing | kClothes},
    {"green", "verde", kThing | kClothes},
    {"blue", "azul", kThing | kClothes},
    {"beautiful", "bonito", kThing | kClothes},
    {"new", "novo", kThing | kClothes | kWritten | kPrinted},
    {"old", "velho", kThing | kClothes | kWritten | kPrinted},
    {"interesting", "interessante", kWritten | kPrinted},
    {"long", "longo", kWritten},
    {"big", "grande", kThing | kFood},
    {"small", "pequeno", kThing | kFood},
    {"expensive", "caro", kThing | kClothes | kFood},
    {"cheap", "barato", kThing | kClothes | kFood},
    {"sweet", "doce", kFood},
};

const std::vector<Words> kStates = {
    {"tired", "cansado"}, {"ready", "pronto"}, {"worried", "preocupado"},
    {"busy", "ocupado"},  {"sick", "doente"},  {"happy", "feliz"},
};

const std::vector<Subject> kNames = [] {
  std::vector<Subject> names;
  for (const char* name :
       {"Lucas", "Pedro", "Miguel", "Rafael", "Tiago", "Gabriel", "Paulo", "Daniel"}) {
    names.push_back({name, kHe, {{{"", name}, kMasculine}}});
  }
  for (const char* name :
       {"Ana", "Maria", "Sofia", "Clara", "Beatriz", "Helena", "Laura", "Teresa"}) {
    names.push_back({name, kHe, {{{"", name}, kFeminine}}});
  }
  return names;
}();

const std::vector<Subject> kPeople = {
    {"the boy", kHe, {{{"o", "menino"}, kMasculine}}},
    {"the girl", kHe, {{{"a", "menina"}, kFeminine}}},
    {"the man", kHe, {{{"o", "homem"}, kMasculine}}},
    {"the woman", kHe, {{{"a", "mulher"}, kFeminine}}},
    {"the teacher", kHe, {{{"o", "professor"}, kMasculine}, {{"a", "professora"}, kFeminine}}},
    {"the doctor", kHe, {{{"o", "médico"}, kMasculine}, {{"a", "médica"}, kFeminine}}},
    {"my father", kHe, {{{"", "meu pai"}, kMasculine}}},
    {"my mother", kHe, {{{"", "minha mãe"}, kFeminine}}},
    {"our grandfather", kHe, {{{"", "nosso avô"}, kMasculine}}},
    {"our grandmother", kHe, {{{"", "nossa avó"}, kFeminine}}},
    {"the boys", kThey, {{{"os", "meninos"}, kMasculine}}},
    {"the girls", kThey, {{{"as", "meninas"}, kFeminine}}},
    {"the men", kThey, {{{"os", "homens"}, kMasculine}}},
    {"the women", kThey, {{{"as", "mulheres"}, kFeminine}}},
    {"my brothers", kThey, {{{"", "meus irmãos"}, kMasculine}}},
    {"my sisters", kThey, {{{"", "minhas irmãs"}, kFeminine}}},
};

const std::vector<Subject> kPronouns = {
    {"I", kI, {{{"", "eu"}, kMasculine}, {{"", "eu"}, kFeminine}}},
    {"he", kHe, {{{"", "ele"}, kMasculine}}},
    {"she", kHe, {{{"", "ela"}, kFeminine}}},
    {"we", kWe, {{{"", "nós"}, kMasculine}, {{"", "nós"}, kFeminine}}},
    {"they", kThey, {{{"", "eles"}, kMasculine}, {{"", "elas"}, kFeminine}}},
};

const std::vector<Place> kCountries = {
    {"Chile", {"o", "Chile"}},
    {"Brazil", {"o", "Brasil"}},
    {"Peru", {"o", "Peru"}},
    {"Japan", {"o", "Japão"}},
    {"Mexico", {"o", "México"}},
    {"Canada", {"o", "Canadá"}},
    {"Egypt", {"o", "Egito"}},
    {"France", {"a", "França"}},
    {"Italy", {"a", "Itália"}},
    {"Spain", {"a", "Espanha"}},
    {"Germany", {"a", "Alemanha"}},
    {"Greece", {"a", "Grécia"}},
    {"India", {"a", "Índia"}},
    {"China", {"a", "China"}},
    {"Portugal", {"", "Portugal"}},
    {"Cuba", {"", "Cuba"}},
    {"Angola", {"", "Angola"}},
    {"Mozambique", {"", "Moçambique"}},
    {"the United States", {"os", "Estados Unidos"}},
    {"the Philippines", {"as", "Filipinas"}},
};

const std::vector<Place> kPlaces = {
    {"the market", {"o", "mercado"}},    {"the park", {"o", "parque"}},
    {"the beach", {"a", "praia"}},       {"the library", {"a", "biblioteca"}},
    {"the museum", {"o", "museu"}},      {"the station", {"a", "estação"}},
    {"the hospital", {"o", "hospital"}}, {"the pharmacy", {"a", "farmácia"}},
};

const std::vector<Words> kMonths = {
    {"January", "Janeiro"}, {"February", "Fevereiro"}, {"March", "Março"},
    {"April", "Abril"},     {"May", "Maio"},           {"June", "Junho"},
    {"July", "Julho"},      {"August", "Agosto"},      {"September", "Setembro"},
    {"October", "Outubro"}, {"November", "Novembro"},  {"December", "Dezembro"},
};

const std::vector<Words> kHabits = {
    {"every day", "todos os dias"},
    {"every week", "todas as semanas"},
    {"on Sundays", "aos domingos"},
};
const std::vector<Words> kPastTimes = {
    {"yesterday", "ontem"},
    {"last night", "ontem à noite"},
    {"last week", "na semana passada"},
};
const std::vector<Words> kFutureTimes = {
    {"tomorrow", "amanhã"},
    {"tomorrow morning", "amanhã de manhã"},
    {"next week", "na próxima semana"},
};
const std::vector<Words> kNow = {{"now", "agora"}};

}  // namespace gradus::grammar
