// Chapter 24: a GPT-2 and a BERT of other programs, read, compared and written by pocket.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>

#include "pocket/write.h"
#include "tutorials/24_other_peoples_weights/bert_folder.h"
#include "tutorials/24_other_peoples_weights/gpt2_folder.h"
#include "tutorials/common/part.h"
#include "tutorials/common/plot.h"
#include "tutorials/common/show.h"

using namespace course;

namespace {

const std::string kRoot =
    std::filesystem::path(COURSE_FABLES).parent_path().parent_path().parent_path().parent_path();
const std::string kHere = kRoot + "/tutorials/24_other_peoples_weights/";
const std::string kGpt = kHere + "fables_gpt", kBert = kHere + "fables_bert";

// [judged]
/// The last tenth of the fables, which neither model was trained on, and the rest.
std::string held_out() {
  const std::string fables = read_text(COURSE_FABLES);
  return fables.substr(fables.size() * 9 / 10);
}

std::string training() {
  const std::string fables = read_text(COURSE_FABLES);
  return fables.substr(0, fables.size() * 9 / 10);
}

using Logits = std::function<Tensor(const IndexTensor&)>;  // tokens [1, T] to [1, T, V]

/// The largest difference between two tensors' numbers, as far as `right` goes.
double apart(const Tensor& x, const Tensor& right) {
  double most = 0;
  for (Index i = 0; i < right.size(); ++i) {
    most = std::max(most, std::abs(double{x.data()[i]} - right.data()[i]));
  }
  return most;
}

/// As printed: below 1e-04 a difference can be rounding, which processors do differently.
std::string shown(double apart) {
  char text[20];
  std::snprintf(text, sizeof text, apart < 1e-4 ? "< 1e-04" : "%.1e", apart);
  return text;
}

/// A GPT beside PyTorch: its loss on 40 blocks of 64 tokens, and how far its logits are from those
/// that PyTorch computed for the first of them.
struct Judge {
  Tokens tokens = Gpt2Tokenizer(kGpt).encode(held_out());
  Tensor right = read_safetensors(kHere + "answers/logits.safetensors").at("gpt");  // [64, V]

  double loss(const Logits& logits) const {
    return mean_loss({tokens.begin(), tokens.begin() + 40 * 64 + 1}, 64, logits);
  }
  double distance(const Logits& logits) const {
    const NoGrad no_grad;
    return apart(logits(IndexTensor({1, 64}, {tokens.begin(), tokens.begin() + 64})), right);
  }
};
// [judged]

// [opening]
/// What a model writes after "The fox", on one line; a byte that does not print is a '?'.
std::string writes(const Gpt& model, Index n) {
  const Gpt2Tokenizer tokenizer(kGpt);
  const Tokens more = generate(model, tokenizer.encode("The fox"), n, {.temperature = 0.5}, {1});
  std::string text = tokenizer.pairs.decode(more);
  std::replace(text.begin(), text.end(), '\n', ' ');
  for (char& c : text) c = std::isprint(static_cast<unsigned char>(c)) ? c : '?';
  return text;
}

/// All numbers of the file, one after the other, as the model has room for them.
void fill_in_order(Gpt& model, const NamedTensors& theirs) {
  std::vector<Scalar> numbers;
  for (const auto& [name, x] : theirs) {
    if (!name.ends_with(".attn.bias")) numbers.insert(numbers.end(), x.begin(), x.end());
  }
  check(std::ssize(numbers) == count(parameters(model)), "the file has a different count");
  const Scalar* next = numbers.data();
  visit_parameters(model, [&](const std::string&, Tensor& x) {
    std::copy_n(next, x.size(), x.mutable_data());
    next += x.size();
  });
}

void opening(const Judge& judge) {
  const Part part("opening");
  const NamedTensors theirs = read_safetensors(kGpt + "/model.safetensors");
  NamedTensors turned = from_gpt2(theirs);
  for (auto& [name, x] : turned) {
    if (name.ends_with("attn.output.weight")) x = permute(x, {1, 0});
  }
  Gpt in_order = new_gpt2(kGpt), transposed = new_gpt2(kGpt);
  fill_in_order(in_order, theirs);
  fill(transposed, turned);
  const Gpt right = read_gpt2(kGpt);
  const auto show = [&](const char* what, const Gpt& model) {
    std::printf("%-22s %.3f  The fox%s\n", what, judge.loss(std::cref(model)),
                writes(model, 24).c_str());
  };
  std::printf("%-22s loss   writes\n", "its numbers");
  show("in the file's order", in_order);
  show("attn.c_proj transposed", transposed);
  show("matched by name", right);
  std::printf("%-22s %.3f\n", "ln V", std::log(double(right.config.vocab_size)));
}
// [opening]

// [logits]
void logits(const Judge& judge) {
  const Part part("logits");
  const NoGrad no_grad;
  const Gpt model = read_gpt2(kGpt);
  const Tensor ours =
      model(IndexTensor({1, 64}, {judge.tokens.begin(), judge.tokens.begin() + 64}));
  for (const Index t : {0, 63}) {
    std::printf("position %2d:", int(t));
    for (Index i = 0; i < 5; ++i) std::printf("  %.4f", ours.data()[t * ours.size(-1) + i]);
    std::printf("\n");
  }
  std::printf("held-out loss %.4f\n", judge.loss(std::cref(model)));
  std::printf("largest difference of %d logits: %s\n", int(judge.right.size()),
              shown(apart(ours, judge.right)).c_str());
}
// [logits]

/// config.json with its lines joined, and broken before column 83.
void config() {
  const Part part("config");
  std::istringstream words(read_text(kGpt + "/config.json"));
  std::string line;
  for (std::string word, value; words >> word; line += line.empty() ? word : " " + word) {
    if (word.back() == ':') words >> value, word += " " + value;
    if (line.size() + word.size() < 82) continue;
    std::printf("%s\n", line.c_str());
    line.clear();
  }
  std::printf("%s\n", line.c_str());
}

void first_bytes(const std::string& file) {
  const Part part("first_bytes");
  for (std::size_t at = 0; at < 48; at += 16) {
    std::string shown;
    for (std::size_t i = at; i < at + 16; ++i) {
      std::printf("%02x ", static_cast<unsigned char>(file[i]));
      shown += std::isprint(static_cast<unsigned char>(file[i])) ? file[i] : '.';
    }
    std::printf(" %s\n", shown.c_str());
  }
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  std::printf("header %d bytes, file %d bytes\n", int(length), int(file.size()));
}

void entries(const std::string& file) {
  const Part part("entries");
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  const Flat header = flat_json(std::string_view(file).substr(8, length));
  for (const std::string name : {"h.0.attn.bias", "h.0.attn.c_attn.bias", "h.0.attn.c_attn.weight",
                                 "h.0.attn.c_proj.weight", "h.0.ln_1.bias", "wte.weight"}) {
    const Tensor x = read_tensor(header, name, std::string_view(file).substr(8 + length));
    std::printf("%-23s %-15s bytes %6d to %6d\n", name.c_str(), words(x.shape()).c_str(),
                int(whole(header, name + "/data_offsets/0")),
                int(whole(header, name + "/data_offsets/1")));
  }
}

// [refused]
std::string file_of(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

std::string entry(const std::string& name, const std::string& shape, int begin, int end,
                  const std::string& dtype = "F32") {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape +
         R"(,"data_offsets":[)" + std::to_string(begin) + "," + std::to_string(end) + "]}";
}

/// Copies of the model's file, of which one to three bytes of length and header are others.
void damaged(const std::string& path, int copies) {
  const std::string file = read_text(kGpt + "/model.safetensors");
  const std::size_t begin = 8 + 2432;  // where the numbers begin
  const NamedTensors right = from_gpt2(read_safetensors(kGpt + "/model.safetensors"));
  int was_read = 0, filled = 0, same = 0;
  std::mt19937 random(24);
  for (int i = 0; i < copies; ++i) {
    std::string copy = file;
    for (std::uint32_t n = 0; n < 1 + random() % 3; ++n) copy[random() % begin] = char(random());
    check((std::ofstream(path, std::ios::binary) << copy).good(), path, ": cannot be written");
    try {
      const NamedTensors theirs = read_safetensors(path);
      ++was_read;
      Gpt model = new_gpt2(kGpt);
      const NamedTensors ours = from_gpt2(theirs);
      fill(model, ours);
      ++filled;
      same += std::ranges::all_of(
          ours, [&](const auto& each) { return apart(each.second, right.at(each.first)) == 0; });
    } catch (const std::invalid_argument&) {
    }
  }
  std::printf("%d copies with other bytes: %d refused, %d read\n", copies, copies - was_read,
              was_read);
  std::printf("of those fill refuses %d; %d of the other %d have the right numbers\n",
              was_read - filled, same, filled);
}

void refused() {
  const Part part("refused");
  const auto folder = std::filesystem::temp_directory_path() /
                      ("pocket_weights_" + std::to_string(std::random_device()()));  // ours alone
  std::filesystem::create_directories(folder);
  const std::string path = folder / "x", eight(8, '\0'), a = entry("a", "[2]", 0, 8);
  const std::string huge = "[4294967296,4294967296]";  // 2^64 numbers: in 64 bits, 0
  const std::pair<const char*, std::string> files[] = {
      {"a header of 2^40 bytes", std::string("\0\0\0\0\0\1\0\0", 8) + "{}"},
      {"offsets beyond the end", file_of("{" + entry("a", "[4]", 0, 16) + "}", eight)},
      {"begins in, ends outside", file_of("{" + entry("a", "[2]", 4, 12) + "}", eight)},
      {"2^64 numbers", file_of("{" + entry("a", huge, 0, 0) + "}", "")},
      {"2^64 + 24 in 96 bytes",
       file_of("{" + entry("a", "[20,922337203685477582]", 0, 96) + "}", std::string(96, '\0'))},
      {"2^64 after a 0", file_of("{" + entry("a", "[0," + huge.substr(1), 0, 0) + "}", "")},
      {"2^50 numbers in 8 bytes",
       file_of("{" + entry("a", "[1125899906842624]", 0, 8) + "}", eight)},
      {"no numbers, [0, 32]", file_of("{" + a + "," + entry("b", "[0,32]", 8, 8) + "}", eight)},
      {"no shape", file_of(R"({"a":{"dtype":"F32","data_offsets":[0,8]}})", eight)},
      {"more after its end", file_of("{" + a + "} and so on", eight)},
      {"a size of -2", file_of("{" + entry("a", "[-2]", 0, 8) + "}", eight)},
      {"two on the same bytes", file_of("{" + a + "," + entry("b", "[2]", 0, 8) + "}", eight)},
      {"bytes in no tensor", file_of("{" + a + "}", eight + eight)},
      {"BF16", file_of("{" + entry("a", "[4]", 0, 8, "BF16") + "}", eight)},
      {"one name twice", file_of("{" + a + "," + a + "}", eight)},
      {"100000 brackets", file_of(std::string(100000, '['), eight)}};
  for (const auto& [what, bytes] : files) {
    std::ofstream(path, std::ios::binary) << bytes;
    std::string said = "was read";
    try {
      read_safetensors(path);
    } catch (const std::exception& error) {
      said = error.what();
    }
    if (said.starts_with(path)) said = said.substr(path.size() + 2);
    std::printf("%-25s %s\n", what, said.c_str());
  }
  damaged(path, 1000);
  std::filesystem::remove_all(folder);
}
// [refused]

// [names]
void names() {
  const Part part("names");
  const NamedTensors theirs = read_safetensors(kGpt + "/model.safetensors");
  Gpt model = new_gpt2(kGpt);
  const auto ours = from_gpt2(theirs);
  const auto attempt = [&](const char* what, const NamedTensors& tensors) {
    std::string said = "every parameter has its tensor";
    try {
      fill(model, tensors);
    } catch (const std::exception& error) {
      said = error.what();
    }
    std::printf("%-24s %s\n", what, said.c_str());
  };
  std::printf("%d tensors in the file, %d in the model\n", int(theirs.size()),
              int(parameters(model).size()));
  attempt("under their own names", theirs);
  NamedTensors less = ours, more = ours, other = ours;
  less.erase("h.1.ln_2.bias");
  more["lm_head.weight"] = ours.at("wte.weight");
  other["h.0.mlp.c_fc.weight"] = permute(ours.at("h.0.mlp.c_fc.weight"), {1, 0});
  attempt("one is missing", less);
  attempt("one is left over", more);
  attempt("one is transposed", other);
  attempt("renamed, c_attn cut", ours);
  const NamedTensors wide = from_gpt2({{"h.0.attn.c_attn.weight", zeros({3 * 768, 768})}});
  std::printf("c_attn of 768 channels, transposed: each part is %s\n",
              words(wide.at("h.0.attn.query.weight").shape()).c_str());
}
// [names]

// [mistakes]
using Change = std::function<void(NamedTensors& ours)>;

Change exchange(const std::string& one, const std::string& other) {
  return [=](NamedTensors& tensors) {
    tensors = renamed(tensors, {{one, "?"}, {other, one}, {"?", other}});
  };
}

void transpose(NamedTensors& tensors, const std::string& ending) {
  for (auto& [name, x] : tensors) {
    if (name.ends_with(ending)) x = permute(x, {1, 0});
  }
}

/// The first third of c_attn's numbers as the queries' matrix, and so on: the shapes fit.
void cut_by_rows(NamedTensors& tensors) {
  for (const std::string block : {"h.0.attn.", "h.1.attn."}) {
    Tensor& q = tensors[block + "query.weight"];
    Tensor &k = tensors[block + "key.weight"], &v = tensors[block + "value.weight"];
    const auto parts = split(reshape(concat({q, k, v}, 1), {3, q.size(0), q.size(1)}), 3, 0);
    const Shape shape = q.shape();
    q = reshape(parts[0], shape), k = reshape(parts[1], shape), v = reshape(parts[2], shape);
  }
}

void no_bias(NamedTensors& tensors, const std::string& part) {
  for (auto& [name, x] : tensors) {
    if (name.ends_with("attn." + part + ".bias")) x = zeros(x.shape());
  }
}

/// The parts' biases, drawn at random: a control.
void random_bias(NamedTensors& tensors, const std::string& part, Scalar scale) {
  KeySequence keys(24);
  for (auto& [name, x] : tensors) {
    if (name.ends_with("attn." + part + ".bias")) x = normal(x.shape(), keys.next(), 0, scale);
  }
}

double largest_bias(const NamedTensors& tensors, const std::string& part) {
  double most = 0;
  for (const auto& [name, x] : tensors) {
    if (name.ends_with("attn." + part + ".bias")) most = std::max(most, apart(x, zeros(x.shape())));
  }
  return most;
}

void mistakes(const Judge& judge) {
  const auto show = [&](const char* what, const Change& change) {
    NamedTensors ours = from_gpt2(read_safetensors(kGpt + "/model.safetensors"));
    change(ours);
    Gpt model = new_gpt2(kGpt);
    fill(model, ours);
    const Logits logits = std::cref(model);
    std::printf("%-23s %12s  %.3f\n", what, shown(judge.distance(logits)).c_str(),
                judge.loss(logits));
    return writes(model, 25);
  };
  const std::pair<const char*, Change> rows[] = {
      {"none", [](NamedTensors&) {}},
      {"attn.c_proj transposed", [](NamedTensors& x) { transpose(x, "attn.output.weight"); }},
      {"q, k, v transposed",
       [](NamedTensors& x) {
         for (const char* each : {"query", "key", "value"}) {
           transpose(x, std::string("attn.") + each + ".weight");
         }
       }},
      {"c_attn cut by rows", cut_by_rows},
      {"query, key exchanged", exchange("query", "key")},
      {"query, value exchanged", exchange("query", "value")},
      {"ln_1, ln_2 exchanged", exchange("ln_1", "ln_2")},
      {"blocks 0, 1 exchanged", exchange("h.0", "h.1")}};
  const std::pair<const char*, Change> thirds[] = {
      {"without the query's", [](NamedTensors& x) { no_bias(x, "query"); }},
      {"without the key's", [](NamedTensors& x) { no_bias(x, "key"); }},
      {"without the value's", [](NamedTensors& x) { no_bias(x, "value"); }},
      {"the key's random", [](NamedTensors& x) { random_bias(x, "key", 5); }}};
  {
    const Part part("mistakes");
    std::printf("%-23s logits apart   loss\n", "mistake");
    for (const auto& [what, change] : rows) show(what, change);
    const std::string text = show("c_attn's bias left out", [](NamedTensors& x) {
      no_bias(x, "query"), no_bias(x, "key"), no_bias(x, "value");
    });
    std::printf("without that bias: The fox%s\n", text.c_str());
  }
  const Part part("thirds");
  std::printf("thirds of c_attn's bias logits apart   loss\n");
  for (const auto& [what, change] : thirds) show(what, change);
  const NamedTensors right = from_gpt2(read_safetensors(kGpt + "/model.safetensors"));
  std::printf("largest bias: the query's %.2f, the key's %.2f, the value's %.2f\n",
              largest_bias(right, "query"), largest_bias(right, "key"),
              largest_bias(right, "value"));
}
// [mistakes]

// [details]
/// The GPT written out, so that an activation and an epsilon can be chosen.
Tensor logits_with(const Gpt& model, const IndexTensor& tokens, const Details& details) {
  const auto norm = [&](const LayerNorm& layer, const Tensor& x) {
    return layer_norm(x, layer.weight, layer.bias, details.epsilon);
  };
  Tensor x = model.wpe.embed(model.wte(tokens));
  for (const Block& block : model.h) {
    const Tensor y = norm(block.ln_1, x);
    x = x + block.attn(y, y, {.causal = true});
    x = x + block.mlp.c_proj(details.activation(block.mlp.c_fc(norm(block.ln_2, x))));
  }
  return model.logits(norm(model.ln_f, x));
}

void details(const Judge& judge) {
  const Part part("details");
  Gpt model = read_gpt2(kGpt), unscaled = read_gpt2(kGpt), untied = read_gpt2(kGpt);
  const Scalar root = std::sqrt(Scalar(model.config.n_embd / model.config.n_head));
  for (Block& block : unscaled.h) {
    block.attn.query.weight = block.attn.query.weight * root;
    block.attn.query.bias = block.attn.query.bias * root;
  }
  const Gpt fresh = new_gpt2(kGpt);
  const auto show = [&](const char* what, const Logits& logits) {
    std::printf("%-28s %12s  %.4f\n", what, shown(judge.distance(logits)).c_str(),
                judge.loss(logits));
  };
  const auto with = [&](const auto& gelu, Scalar epsilon) -> Logits {
    return [=, &model](const IndexTensor& tokens) {
      return logits_with(model, tokens, {.activation = gelu, .epsilon = epsilon});
    };
  };
  std::printf("%-28s logits apart   loss\n", "computed");
  show("as GPT-2 does", with(gelu, Scalar(1e-5)));
  show("epsilon 1e-12", with(gelu, Scalar(1e-12)));
  show("GELU by erf", with(gelu_erf, Scalar(1e-5)));
  show("ReLU", with(relu, Scalar(1e-5)));
  show("scores not divided by root D", std::cref(unscaled));
  show("an output table of its own",
       [&](const IndexTensor& tokens) { return fresh.logits(model.features(tokens)); });
}
// [details]

// [begins]
/// Two mistakes, each in one block, and how far x is from the right model's.
void begins(const Judge& judge) {
  const Part part("begins");
  const IndexTensor tokens({1, 64}, {judge.tokens.begin(), judge.tokens.begin() + 64});
  const NamedTensors ours = from_gpt2(read_safetensors(kGpt + "/model.safetensors"));
  const auto x_with = [&](const Change& change) {
    NamedTensors tensors = ours;
    change(tensors);
    Gpt model = new_gpt2(kGpt);
    fill(model, tensors);
    return stages(model, tokens);
  };
  const auto right = x_with([](NamedTensors&) {});
  const auto one = x_with([](NamedTensors& x) { transpose(x, "h.1.attn.output.weight"); });
  const auto two = x_with(exchange("h.0.ln_1", "h.0.ln_2"));
  const auto names = names_of_stages(new_gpt2(kGpt));
  std::printf("x apart after  block 1: attn.c_proj   block 0: ln_1, ln_2\n");
  for (std::size_t i = 0; i < right.size(); ++i) {
    std::printf("%-13s  %20s   %19s\n", names[i].c_str(), shown(apart(one[i], right[i])).c_str(),
                shown(apart(two[i], right[i])).c_str());
  }
}
// [begins]

// [tokens]
void tokens() {
  const Part part("tokens");
  const Gpt2Tokenizer tokenizer(kGpt);
  const auto shown = [characters = byte_characters()](const std::string& bytes) {
    std::string text;
    for (const char c : bytes) text += characters[static_cast<unsigned char>(c)];
    return text;
  };
  const Flat theirs = flat_json(read_text(kHere + "answers/tokens.json"));
  std::map<std::string, Tokens> texts;
  for (const auto& [path, number] : theirs) {  // gpt/TEXT/0, gpt/TEXT/1, and so on
    if (!path.starts_with("gpt/") || number == "[]") continue;
    const std::string text = path.substr(4, path.rfind('/') - 4);
    const std::size_t place = std::stoul(path.substr(path.rfind('/') + 1));
    texts[text].resize(std::max(texts[text].size(), place + 1));
    texts[text][place] = std::stoi(number);
  }
  std::vector<std::string> cut;  // the pieces of texts beyond ASCII
  for (const auto& [escaped, right] : texts) {
    const std::string text = unescaped(escaped);
    const Tokens ours = tokenizer.encode(text);
    std::string line;
    for (const std::int32_t token : ours) {
      line += (line.empty() ? "" : "|") + shown(tokenizer.pairs.pieces[token]);
    }
    std::printf("%-5s  %2d tokens  %s\n", ours == right ? "same" : "OTHER", int(ours.size()),
                line.c_str());
    line.clear();
    bool agree = true;
    for (std::size_t i = 0; const std::string& piece : gpt2_pieces(text)) {
      const std::string path = "pieces/" + escaped + "/" + std::to_string(i++);
      agree = agree && unescaped(value_at(theirs, path)) == piece;
      line += (line.empty() ? "" : "|") + piece;
    }
    if (std::ranges::any_of(text, [](char c) { return c < 0; })) cut.push_back(line);
    check(agree, "tokens: other pieces than in Python: ", line);
  }
  for (const std::string& line : cut) std::printf("pieces, same  %s\n", line.c_str());
  const std::string text = held_out(), some = text.substr(0, 8000);
  const Tokens ours = tokenizer.encode(text);
  std::size_t same = 0, all = 0;
  for (std::string path; theirs.contains(path = "held out/" + std::to_string(all)); ++all) {
    same += std::stoi(theirs.at(path)) == ours.at(all);
  }
  Tokens uncut;
  for (const char c : some) uncut.push_back(tokenizer.bytes[static_cast<unsigned char>(c)]);
  std::printf("held-out text: %d of %d tokens the same\n", int(same), int(all));
  std::set<std::size_t> cuts;
  for (std::size_t at = 0; const std::string& piece : gpt2_pieces(some))
    cuts.insert(at += piece.size());
  uncut = tokenizer.pairs.encode_word(uncut);
  std::map<std::string, int> across;  // tokens with a cut inside
  for (std::size_t at = 0; const std::int32_t token : uncut) {
    const std::string& bytes = tokenizer.pairs.pieces[token];
    across[shown(bytes)] += *cuts.upper_bound(at) < at + bytes.size();
    at += bytes.size();
  }
  std::printf("its first %d bytes: %d tokens, without the cut %d; across a cut:", int(some.size()),
              int(tokenizer.encode(some).size()), int(uncut.size()));
  for (const auto& [token, times] : across) {
    if (times > 0) std::printf(" %d times %s", times, token.c_str());
  }
  std::printf("\n");
}
// [tokens]

// [bert_judge]
/// Rows of 30 tokens between [CLS] and [SEP], of which every seventh is hidden and asked for.
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
  /// How much lower one model's loss is than another's, with the standard error of this mean.
  std::pair<double, double> gain(const Logits& model, const Logits& other) const {
    const NoGrad no_grad;
    const Tensor one = log_softmax(model(inputs)), two = log_softmax(other(inputs));
    double n = 0, sum = 0, squares = 0;
    for (Index i = 0; i < targets.size(); ++i) {
      if (targets.data()[i] < 0) continue;
      const Index at = i * one.size(-1) + targets.data()[i];
      const double gained = double{one.data()[at]} - two.data()[at];
      ++n, sum += gained, squares += gained * gained;
    }
    const double mean = sum / n, error = std::sqrt((squares / n - mean * mean) / (n - 1));
    return {mean, error};
  }
  /// A model that knows how often each piece is in the training text, and no more.
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
void bert_details(const BertJudge& judge) {
  const Part part("bert_details");
  const PublishedBert right(kBert);
  PublishedBert model = right;
  const auto line = [&](const char* what, const Logits& logits) {
    const auto [gained, error] = judge.gain(std::cref(right), logits);
    const double more = std::round(1000 * gained) / 1000 + 0.0;  // no -0
    std::printf("%-32s %12s  %.4f  %5.3f ± %.3f\n", what, shown(judge.distance(logits)).c_str(),
                judge.loss(logits), more, error);
  };
  const auto show = [&](const char* what) {
    line(what, std::cref(model));
    model = PublishedBert(kBert);
  };
  std::printf("%-32s logits apart  loss    more by\n", "computed");
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
  for (auto& [name, x] : ours) {  // undoes the transpose of those that fit without one
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
}
// [bert_details]

// [epsilon]
double factor(double variance) { return std::sqrt(variance / (variance + 1e-5)); }

Tensor variance(const Tensor& x) {
  const Tensor c = x - mean(x, -1, {.keepdim = true});
  return mean(c * c, -1);
}

/// The variance of each vector that the norms meet, norm after norm.
std::vector<std::vector<double>> variances(PublishedBert& model, const IndexTensor& tokens) {
  const NoGrad no_grad;
  std::vector<std::vector<double>> result;
  model.details.look = [&](const LayerNorm&, const Tensor& x) {
    const Tensor v = variance(x);
    result.emplace_back(v.begin(), v.end());
  };
  model(tokens);
  model.details.look = {};
  return result;
}

/// For each norm alone: what an epsilon of 1e-5 does to the logits.
void epsilon(PublishedBert& model, const BertJudge& judge) {
  const Part part("epsilon");
  const auto met = variances(model, judge.sentence);
  const auto& blocks = model.model.encoder.layers;
  const std::pair<const char*, const LayerNorm*> norms[] = {
      {"embeddings", &model.model.encoder.norm}, {"block 0, ln_1", &blocks[0].ln_1},
      {"block 0, ln_2", &blocks[0].ln_2},        {"block 1, ln_1", &blocks[1].ln_1},
      {"block 1, ln_2", &blocks[1].ln_2},        {"the head's", &model.model.transform_norm}};
  std::printf("norm           least variance    factor  logits apart\n");
  std::printf("in none        %24s  %12s\n", "", shown(judge.distance(std::cref(model))).c_str());
  for (std::size_t i = 0; i < met.size(); ++i) {
    const double least = *std::min_element(met[i].begin(), met[i].end());
    model.details.only = norms[i].second, model.details.epsilon = Scalar(1e-5);
    std::printf("%-13s  %14.5f  %.6f  %12s\n", norms[i].first, least, factor(least),
                shown(judge.distance(std::cref(model))).c_str());
    model.details = {};
  }
}
// [epsilon]

/// The head's norm, token by token: where epsilon changes most, then the two [MASK].
void positions(PublishedBert& model, const BertJudge& judge) {
  const Part part("positions");
  const NoGrad no_grad;
  const std::vector<double> variance = variances(model, judge.sentence).back();
  const IndexTensor& tokens = judge.sentence;
  const Tensor right = model(tokens);
  model.details.epsilon = Scalar(1e-5), model.details.only = &model.model.transform_norm;
  const Tensor other = model(tokens);
  model.details = {.activation = gelu};
  const Tensor tanh = model(tokens);
  model.details = {};
  const auto row = [](const Tensor& x, Index t) { return reshape(slice(x, 1, t, t + 1), {-1}); };
  std::vector<Index> order, masks;
  for (Index t = 0; t < tokens.size(); ++t) {
    (judge.pieces.pieces[tokens.data()[t]] == "[MASK]" ? masks : order).push_back(t);
  }
  std::ranges::sort(order, std::greater(),
                    [&](Index t) { return apart(row(other, t), row(right, t)); });
  order.resize(2), order.insert(order.end(), masks.begin(), masks.end());
  std::printf("                               largest   logits apart\n");
  std::printf("token   variance  1 - factor   logit     epsilon   GELU\n");
  for (const Index t : order) {
    const Tensor mine = row(right, t);
    std::printf("%-6s  %8.5f  %10.1e  %5.1f      %7s   %s\n",
                judge.pieces.pieces[tokens.data()[t]].c_str(), variance[t], 1 - factor(variance[t]),
                apart(mine, model.word_bias), shown(apart(row(other, t), mine)).c_str(),
                shown(apart(row(tanh, t), mine)).c_str());
  }
}

// [asked]
/// Epsilon or GELU changed on the rows of the loss: where it asks, and at the pieces that are seen,
/// which are asked for themselves.
void asked(PublishedBert& model, const BertJudge& judge) {
  const NoGrad no_grad;
  const auto logits = [&](const Details& details) {
    model.details = details;
    return reshape(model(judge.inputs), {judge.inputs.size(), -1});
  };
  const Tensor right = logits({});
  Tokens seen(judge.inputs.begin(), judge.inputs.end());
  for (std::int32_t& token : seen) {
    for (const char* mark : {"[CLS]", "[MASK]", "[SEP]"}) {
      if (token == judge.pieces.number.at(mark)) token = -100;
    }
  }
  const IndexTensor visible(judge.inputs.shape(), seen);
  std::string more;  // for the table of what is largest
  const auto show = [&](const char* what, const IndexTensor& targets, const Details& details) {
    const Tensor other = logits(details), one = log_softmax(right), two = log_softmax(other);
    double logit = 0, most = 0, absolute = 0, from = 0, to = 0;
    int n = 0, higher = 0, largest = 0, both = 0;
    for (Index i = 0; i < targets.size(); ++i) {
      if (targets.data()[i] < 0) continue;
      const Tensor row = slice(right, 0, i, i + 1);
      const Index at = i * right.size(-1) + targets.data()[i];
      const double before = -one.data()[at], after = -two.data()[at];
      const bool top = right.data()[at] == *std::max_element(row.begin(), row.end());
      ++n, higher += after > before, from += before, to += after, largest += top,
          both += top && after > before;
      absolute += std::abs(after - before), most = std::max(most, std::abs(after - before));
      logit = std::max(logit, apart(slice(other, 0, i, i + 1), row));
    }
    std::printf("%-16s  %11.1e  %4d of %4d  %.5f  %.5f\n", what, absolute / n, higher, n, from / n,
                to / n);
    char line[100];
    std::snprintf(line, 100, "%-16s  %.1e  %.1e  %4d of %4d\n", what, logit, most, both, largest);
    more += line;
  };
  {
    const Part part("asked");
    std::printf("%-16s  mean change  losses      mean loss\n", "");
    std::printf("%-16s  of one loss  that rise   from     to\n", "changed, at");
    show("epsilon, seen", visible, {.epsilon = Scalar(1e-5)});
    show("epsilon, [MASK]", judge.targets, {.epsilon = Scalar(1e-5)});
    show("GELU, seen", visible, {.activation = gelu});
    show("GELU, [MASK]", judge.targets, {.activation = gelu});
  }
  const Part part("at_most");
  std::printf("%-16s  change, at most   where the right piece\n", "");
  std::printf("%-16s  a logit  a loss   is largest, losses rise\n%s", "changed, at", more.c_str());
  model.details = {};
  const std::vector<double> variance = variances(model, judge.inputs).back();
  const auto median = [&](const IndexTensor& targets) {
    std::vector<double> asked;
    for (Index i = 0; i < targets.size(); ++i) {
      if (targets.data()[i] >= 0) asked.push_back(variance[i]);
    }
    std::ranges::sort(asked);
    return asked[asked.size() / 2];
  };
  std::printf("median variance at the head's norm: seen %.5f, [MASK] %.5f\n", median(visible),
              median(judge.targets));
}
// [asked]

void written() {
  const Part part("written");
  const auto copy = std::filesystem::temp_directory_path() / "pocket_copy.safetensors";
  for (const std::string& folder : {kGpt, kBert}) {
    const std::string file = folder + "/model.safetensors";
    write_safetensors(copy, read_safetensors(file));
    const bool same = read_text(copy) == read_text(file);
    std::printf("%s: %d bytes, %s\n", folder.substr(kHere.size()).c_str(),
                int(read_text(copy).size()), same ? "the same" : "OTHERS");
  }
  std::filesystem::remove(copy);
}

// [folder]
/// A file's tokens, by the vocabulary and merges of any folder of GPT-2's layout.
void print_tokens(const std::string& folder, const std::string& file) {
  for (const std::int32_t token : Gpt2Tokenizer(folder).encode(read_text(file))) {
    std::printf("%d ", token);
  }
  std::printf("\n");
}

/// Any folder of GPT-2's layout, such as OpenAI's own.
void read_folder(const std::string& folder) {
  const Gpt2Tokenizer tokenizer(folder);
  Gpt model = read_gpt2(folder);
  std::printf("%d blocks, %d channels, %d tokens, %d parameters\n", model.config.n_layer,
              int(model.config.n_embd), int(model.config.vocab_size),
              int(count(parameters(model))));
  const std::string text = "Hello, I'm a language model,";
  const Tokens prompt = tokenizer.encode(text);
  std::printf("tokens");
  for (const std::int32_t token : prompt) std::printf(" %d", token);
  const auto x = stages(model, IndexTensor({1, std::ssize(prompt)}, prompt));
  const auto names = names_of_stages(model);
  std::printf("\nx of the last token, its first three numbers, after\n");
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::printf("%-13s", names[i].c_str());
    const Scalar* last = x[i].data() + x[i].size() - model.config.n_embd;
    for (int j = 0; j < 3; ++j) std::printf(" %8.3f", last[j]);
    std::printf("\n");
  }
  const std::vector<Scalar> logits = InferenceSession(model).step(prompt);
  std::printf("logits");
  for (const std::size_t token : {0, 1, 407}) {
    if (token < logits.size()) std::printf("  of %d: %.3f", int(token), logits[token]);
  }
  const Tokens more = generate(model, prompt, 11, {.temperature = 0}, {1});
  std::printf("\ntext   %s%s\n", text.c_str(), tokenizer.pairs.decode(more).c_str());
}
// [folder]

}  // namespace

int main(int argc, char** argv) {
  begin_chapter(argc, argv);
  if (argc > 3 && std::strcmp(argv[2], "--folder") == 0) {
    argc > 4 ? print_tokens(argv[3], argv[4]) : read_folder(argv[3]);
    return 0;
  }
  const Judge judge;
  opening(judge);
  const std::string file = read_text(kGpt + "/model.safetensors");
  config();
  first_bytes(file);
  entries(file);
  refused();
  names();
  logits(judge);
  mistakes(judge);
  tokens();
  details(judge);
  begins(judge);
  const BertJudge bert_judge;
  bert_details(bert_judge);
  PublishedBert bert(kBert);
  epsilon(bert, bert_judge);
  positions(bert, bert_judge);
  asked(bert, bert_judge);
  written();
  const Part part("folder");
  read_folder(kGpt);
}
