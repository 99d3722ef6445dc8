/// @file
/// Chapter 24: the contents of a safetensors file, files that are refused, and the same file
/// written.
#pragma once

#include <cstring>
#include <optional>
#include <random>
#include <set>

#include "tutorials/24_other_peoples_weights/judge.h"

/// config.json with its lines joined, and broken before column 83.
inline void config() {
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

inline void first_bytes(const std::string& file) {
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

inline void entries(const std::string& file) {
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
inline std::string file_of(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

inline std::string entry(const std::string& name, const std::string& shape, int begin, int end,
                         const std::string& dtype = "F32") {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape +
         R"(,"data_offsets":[)" + std::to_string(begin) + "," + std::to_string(end) + "]}";
}

/// Copies of the model's file, with one to three bytes of length and header changed.
inline void damaged(const std::string& path, int copies) {
  const std::string file = read_text(kGpt + "/model.safetensors");
  const std::size_t begin = 8 + 2432;  // where the numbers begin
  const NamedTensors right = from_gpt2(read_safetensors(kGpt + "/model.safetensors"));
  int was_read = 0, filled = 0, same = 0;
  std::mt19937 random(24);
  for (int i = 0; i < copies; ++i) {
    std::string copy = file;
    std::set<std::size_t> where;
    for (const std::size_t n = 1 + random() % 3; where.size() < n;) where.insert(random() % begin);
    for (const std::size_t at : where) copy[at] = char(copy[at] + 1 + random() % 255);
    check((std::ofstream(path, std::ios::binary) << copy).good(), path, ": cannot be written");
    try {
      const NamedTensors theirs = read_safetensors(path);
      ++was_read;
      Gpt model = new_gpt2(kGpt);
      const NamedTensors ours = from_gpt2(theirs);
      fill(model, ours);
      ++filled;
      std::string begins = copy.substr(8, 31);
      for (char& c : begins) c = std::isprint(static_cast<unsigned char>(c)) ? c : '?';
      if (copies <= 1000) std::printf("read and filled  %s\n", begins.c_str());
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

inline void refused() {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("pocket_weights_" + std::to_string(std::random_device()()));  // of this run
  std::filesystem::create_directories(folder);
  const std::string path = folder / "x", eight(8, '\0'), a = entry("a", "[2]", 0, 8);
  const std::string huge = "[4294967296,4294967296]";  // 2^64 numbers: in 64 bits, 0
  const std::pair<const char*, std::string> files[] = {
      {"offsets beyond the end", file_of("{" + entry("a", "[4]", 0, 16) + "}", eight)},
      {"2^64 numbers", file_of("{" + entry("a", huge, 0, 0) + "}", "")},
      {"2^50 numbers in 8 bytes",
       file_of("{" + entry("a", "[1125899906842624]", 0, 8) + "}", eight)},
      {"no numbers, [0, 32]", file_of("{" + a + "," + entry("b", "[0,32]", 8, 8) + "}", eight)},
      {"two on the same bytes", file_of("{" + a + "," + entry("b", "[2]", 0, 8) + "}", eight)},
      {"a header of 2^40 bytes", std::string("\0\0\0\0\0\1\0\0", 8) + "{}"},
      {"begins in, ends outside", file_of("{" + entry("a", "[2]", 4, 12) + "}", eight)},
      {"2^64 + 24 in 96 bytes",
       file_of("{" + entry("a", "[20,922337203685477582]", 0, 96) + "}", std::string(96, '\0'))},
      {"2^64 after a 0", file_of("{" + entry("a", "[0," + huge.substr(1), 0, 0) + "}", "")},
      {"no shape", file_of(R"({"a":{"dtype":"F32","data_offsets":[0,8]}})", eight)},
      {"more after its end", file_of("{" + a + "} and so on", eight)},
      {"a size of -2", file_of("{" + entry("a", "[-2]", 0, 8) + "}", eight)},
      {"bytes in no tensor", file_of("{" + a + "}", eight + eight)},
      {"BF16", file_of("{" + entry("a", "[4]", 0, 8, "BF16") + "}", eight)},
      {"one name twice", file_of("{" + a + "," + a + "}", eight)},
      {"100000 brackets", file_of(std::string(100000, '['), eight)}};
  std::optional<Part> part(std::in_place, "files");
  int i = 0;
  for (const auto& [what, bytes] : files) {
    if (i++ == 5) part.emplace("refused");
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

inline void written() {
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
