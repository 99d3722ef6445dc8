#include "nn/files/safetensors.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>

#include "autograd/check.h"
#include "tests/temporary_folder.h"

using namespace gradus;
using namespace gradus::detail;

namespace {

namespace fs = std::filesystem;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string bytes_of(std::uint64_t value, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> 8 * i);
  return bytes;
}

/// A file with this header and `data_size` bytes of data.
std::string file_of(const std::string& header, std::size_t data_size) {
  return bytes_of(header.size(), 8) + header + std::string(data_size, '\x01');
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

void expect_refused(const std::string& bytes, const std::string& cause) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.safetensors";
  write(path, bytes);
  CAPTURE(bytes.substr(0, 200));
  CHECK_THROWS_WITH_AS(load_safetensors(path), doctest::Contains((path + ": " + cause).c_str()),
                       std::runtime_error);
}

/// The same for a header whose only error is in its entries.
void expect_entries_refused(const std::string& entries, const std::string& cause) {
  expect_refused(file_of("{" + entries + "}", 24), cause);
}

}  // namespace

TEST_CASE("safetensors: loads the saved tensors unchanged") {
  const TemporaryFolder folder;
  const std::string path = folder / "x.safetensors";
  const Tensor w = tensor({{1, -0.0, 1e-30}, {NAN, INFINITY, 1.0 / 3}});
  save_safetensors(path,
                   {{"w", w}, {"a \"b\" \\ \xc3\xa9\n", scalar(7)}, {"none", zeros({2, 0, 3})}},
                   {{"format", "pt"}, {"note", "one\ntwo"}},
                   {{"ids", indices({{-1, 2}, {2147483647, 0}})}, {"", indices(5)}});
  Safetensors file = load_safetensors(path);
  CHECK(file.tensors.size() == 3);
  CHECK(file.tensors["w"].shape() == Shape{2, 3});
  CHECK(std::memcmp(file.tensors["w"].data(), w.data(), 6 * sizeof(Scalar)) == 0);
  CHECK(file.tensors["a \"b\" \\ \xc3\xa9\n"].item() == 7);
  CHECK(file.tensors["a \"b\" \\ \xc3\xa9\n"].rank() == 0);
  CHECK(file.tensors["none"].shape() == Shape{2, 0, 3});
  CHECK(file.indices.size() == 2);
  CHECK(file.indices["ids"].values() == std::vector<std::int32_t>{-1, 2, 2147483647, 0});
  CHECK(file.indices[""].shape() == Shape{});
  CHECK(file.metadata ==
        std::map<std::string, std::string>{{"format", "pt"}, {"note", "one\ntwo"}});
  save_safetensors(path, {}, {});  // over a longer one
  CHECK(read(path) == file_of("{}      ", 0));
  CHECK(load_safetensors(path).tensors.empty());
}

TEST_CASE("safetensors: the bytes of a file") {
  const TemporaryFolder folder;
  save_safetensors(folder / "x", {{"b", tensor({1, 2})}, {"a", scalar(3)}}, {{"k", "v"}},
                   {{"i", indices({-2})}});
  const std::string bytes = read(folder / "x");
  const bool wide = sizeof(Scalar) == 8;
  std::string header = "{\"__metadata__\":{\"k\":\"v\"}," +
                       entry("b", wide ? "F64" : "F32", "[2]", wide ? "[0,16]" : "[0,8]") + "," +
                       entry("a", wide ? "F64" : "F32", "[]", wide ? "[16,24]" : "[8,12]") + "," +
                       entry("i", "I32", "[1]", wide ? "[24,28]" : "[12,16]") + "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string data;
  for (double v : {1, 2, 3}) {
    data += wide ? bytes_of(std::bit_cast<std::uint64_t>(v), 8)
                 : bytes_of(std::bit_cast<std::uint32_t>(static_cast<float>(v)), 4);
  }
  CHECK(bytes == bytes_of(header.size(), 8) + header + data + "\xfe\xff\xff\xff");
}

TEST_CASE("safetensors: every type is read") {
  const TemporaryFolder folder;
  const std::string header =
      "{" + entry("f64", "F64", "[2]", "[0,16]") + "," + entry("f32", "F32", "[1]", "[16,20]") +
      "," + entry("f16", "F16", "[10]", "[20,40]") + "," + entry("bf16", "BF16", "[3]", "[40,46]") +
      "," + entry("i64", "I64", "[2]", "[46,62]") + "," + entry("i32", "I32", "[1]", "[62,66]") +
      "," + entry("i16", "I16", "[1]", "[66,68]") + "," + entry("i8", "I8", "[1]", "[68,69]") +
      "," + entry("u8", "U8", "[1]", "[69,70]") + "," + entry("bool", "BOOL", "[2]", "[70,72]") +
      "}";
  std::string data = bytes_of(std::bit_cast<std::uint64_t>(0.1), 8) +
                     bytes_of(std::bit_cast<std::uint64_t>(-1e300), 8) +
                     bytes_of(std::bit_cast<std::uint32_t>(-2.5f), 4);
  // 1, -2, the largest, the smallest normal, the largest and smallest subnormal, -0, inf, -inf, NaN
  for (int half :
       {0x3c00, 0xc000, 0x7bff, 0x0400, 0x03ff, 0x0001, 0x8000, 0x7c00, 0xfc00, 0x7e01}) {
    data += bytes_of(half, 2);
  }
  for (int bfloat : {0x3f80, 0xc049, 0x7f80}) data += bytes_of(bfloat, 2);
  data += bytes_of(-2147483648LL, 8) + bytes_of(7, 8) + bytes_of(-9, 4) + bytes_of(-300, 2) +
          "\x80\xff" + bytes_of(0x0100, 2);
  write(folder / "x", bytes_of(header.size(), 8) + header + data);
  Safetensors file = load_safetensors(folder / "x");
  CHECK(file.tensors["f64"].values() ==
        std::vector<Scalar>{static_cast<Scalar>(0.1), static_cast<Scalar>(-1e300)});
  CHECK(file.tensors["f32"].item() == -2.5);
  const std::vector<Scalar> half = file.tensors["f16"].values();
  const std::vector<double> expected{1,       -2,   65504,    0x1p-14,  0x1.ff8p-15,
                                     0x1p-24, -0.0, INFINITY, -INFINITY};
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(half[i] == expected[i]);
  CHECK(std::signbit(half[6]));
  CHECK(std::isnan(half[9]));
  CHECK(file.tensors["bf16"].values() == std::vector<Scalar>{1, -3.140625, INFINITY});
  CHECK(file.indices["i64"].values() == std::vector<std::int32_t>{-2147483648, 7});
  CHECK(file.indices["i32"].values() == std::vector<std::int32_t>{-9});
  CHECK(file.indices["i16"].values() == std::vector<std::int32_t>{-300});
  CHECK(file.indices["i8"].values() == std::vector<std::int32_t>{-128});
  CHECK(file.indices["u8"].values() == std::vector<std::int32_t>{255});
  CHECK(file.indices["bool"].values() == std::vector<std::int32_t>{0, 1});
}

TEST_CASE("safetensors: tensors larger than one read") {
  const TemporaryFolder folder;
  const Tensor x = arange(50'021);
  save_safetensors(folder / "x", {{"x", x}}, {}, {{"i", indices(3)}});
  CHECK(load_safetensors(folder / "x").tensors["x"].values() == x.values());
}

TEST_CASE("safetensors: files that are none") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(load_safetensors(folder / "no"), doctest::Contains("no: does not exist"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(load_safetensors(folder / "no" + "/no"), doctest::Contains("does not exist"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(load_safetensors(folder.path.string()), doctest::Contains("is a directory"),
                       std::runtime_error);
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH_AS(load_safetensors(folder / "pipe"), doctest::Contains("is not a file"),
                       std::runtime_error);
  expect_refused("", "has 0 bytes");
  expect_refused("1234567", "has 7 bytes");
  expect_refused(file_of("", 0), "the header's length of 0 bytes is not in [1, 0]");
  expect_refused(bytes_of(3, 8) + "{}", "the header's length of 3 bytes is not in [1, 2]");
  expect_refused(bytes_of(~0ull, 8) + "{}", "the header's length of 18446744073709551615 bytes");
  expect_refused(bytes_of(1ull << 63, 8) + "{}", "the header's length of");
}

TEST_CASE("safetensors: headers that are none") {
  expect_refused(file_of("[]", 0), "the header does not begin with {");
  expect_refused(file_of("\xef\xbb\xbf{}", 0), "the header does not begin with {");
  expect_refused(file_of(" {}", 0), "the header does not begin with {");
  expect_refused(file_of("{", 0), "the header is not valid JSON at its byte 2");
  expect_refused(file_of("{}{}", 0), "the header is not valid JSON at its byte 3");
  expect_refused(file_of("{\"\xff\":1}", 0), "the header is not valid JSON at its byte 3");
  expect_refused(file_of(std::string("{}\0", 3), 0), "the header is not valid JSON");
  expect_refused(file_of("{\"a\":" + std::string(200'000, '['), 0), "\"a\": did not expect a list");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{\"shape\":";
  expect_refused(file_of(deep, 0), "\"shape\", \"shape\": did not expect an object");
  expect_refused(file_of("{\"a\":1}", 0), "\"a\": did not expect a number");
  expect_refused(file_of("{\"a\":null}", 0), "\"a\": did not expect null");
  expect_refused(file_of("{\"__metadata__\":{\"k\":null}}", 0),
                 "\"__metadata__\", \"k\": did not expect null");
  expect_refused(file_of("{\"__metadata__\":null,\"a\":null}", 0), "\"a\": did not expect null");
  expect_refused(file_of("{\"__metadata__\":{\"k\":1}}", 0),
                 "\"__metadata__\", \"k\": did not expect a number");
  expect_refused(file_of("{\"__metadata__\":[]}", 0), "\"__metadata__\": did not expect a list");
  expect_refused(file_of("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0),
                 "the header names \"k\" twice");
  expect_refused(file_of("{\"__metadata__\":{},\"__metadata__\":{}}", 0),
                 "the header names \"__metadata__\" twice");
}

TEST_CASE("safetensors: accepts the odd files that the reference reader accepts") {
  const TemporaryFolder folder;
  const std::string x = "\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]";
  for (const std::string& entry :
       {"\"__metadata__\":null,\"x\":{" + x + "}", "\"x\":{" + x + "},\"__metadata__\":null",
        "\"x\":{\"foo\":1," + x + ",\"foo\":-1.5}", "\"x\":{" + x + ",\"foo\":null,\"bar\":true}",
        "\"x\":{\"foo\":[{\"shape\":[9,[]]},\"a\"]," + x + ",\"bar\":{\"dtype\":{}}}",
        "\"x\":{\"foo\":" + std::string(50'000, '[') + std::string(50'000, ']') + "," + x + "}"}) {
    CAPTURE(entry.substr(0, 200));
    write(folder / "x", file_of("{" + entry + "}", 4));
    const Safetensors file = load_safetensors(folder / "x");
    CHECK(file.tensors.size() == 1);
    CHECK(file.tensors.at("x").size() == 1);
    CHECK(file.metadata.empty());
  }
}

TEST_CASE("safetensors: a pointer of Git LFS is called by its name") {
  expect_refused("version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 548105171\n",
                 "is a Git LFS pointer instead of the file (run 'git lfs pull'");
  expect_refused("version https://git-lfs.github.com/spec/v1", "is a Git LFS pointer");
  expect_refused("version of something else", "the header's length of");
}

TEST_CASE("safetensors: entries that are wrong") {
  const std::string a = entry("a", "F32", "[2]", "[0,8]");
  expect_entries_refused(a + "," + entry("a", "F32", "[4]", "[8,24]"),
                         "the header names \"a\" twice");
  expect_entries_refused("\"a\":{\"dtype\":\"F32\",\"shape\":[6]}",
                         "tensor \"a\" needs dtype, shape and data_offsets, got 2 of them");
  expect_entries_refused("\"a\":{}", "tensor \"a\" needs dtype, shape and data_offsets, got 0");
  expect_entries_refused("\"a\":{\"x\":1}",
                         "tensor \"a\" needs dtype, shape and data_offsets, got 0");
  expect_entries_refused("\"a\":{\"x\":{\"dtype\":1}}", "tensor \"a\" needs dtype, shape and");
  expect_entries_refused("\"a\":{\"dtype\":\"F32\",\"dtype\":\"F16\"}",
                         "the header names \"dtype\" twice");
  expect_entries_refused("\"a\":{\"dtype\":[\"F32\"]}", "\"a\", \"dtype\": did not expect a list");
  expect_entries_refused("\"a\":{\"shape\":6}", "\"a\", \"shape\": did not expect a number");
  expect_entries_refused("\"a\":{\"shape\":[[6]]}", "\"a\", \"shape\": did not expect a list");
  expect_entries_refused("\"a\":{\"shape\":[{}]}", "\"a\", \"shape\": did not expect an object");
  expect_entries_refused("\"a\":{\"shape\":[\"6\"]}", "\"a\", \"shape\": did not expect a string");
  expect_entries_refused("\"a\":{\"shape\":[-6]}",
                         "\"a\", \"shape\": did not expect the number -6");
  expect_entries_refused("\"a\":{\"shape\":[6.0]}",
                         "\"a\", \"shape\": did not expect the number 6.0");
  expect_entries_refused("\"a\":{\"shape\":[true]}",
                         "\"a\", \"shape\": did not expect a truth value");
  expect_entries_refused("\"a\":{\"shape\":[99999999999999999999999]}",
                         "\"a\", \"shape\": did not expect the number 9999");
  expect_entries_refused("\"a\":{\"shape\":[1,1,1,1,1,1,1,1,1]}",
                         "tensor \"a\" has more than 8 numbers as its shape");
  for (const char* dtype : {"F31", "", "f32", "C64"}) {
    expect_entries_refused(entry("a", dtype, "[6]", "[0,24]"),
                           text("tensor \"a\" has the dtype \"", dtype, "\""));
  }
}

TEST_CASE("safetensors: shapes and offsets that do not fit") {
  const std::string wrong_size = "tensor \"a\" has 24 bytes, which do not match its shape";
  for (const char* shape : {"[5]", "[7]", "[]", "[0]", "[2,0,3]", "[6,9223372036854775807]",
                            "[4611686018427387904,4,6]", "[18446744073709551615]",
                            "[4294967296,4294967296,6]", "[9223372036854775808,2,6]"}) {
    CAPTURE(shape);
    expect_entries_refused(entry("a", "F32", shape, "[0,24]"), wrong_size);
  }
  expect_refused(file_of("{" + entry("a", "F32", "[0,9223372036854775807,9]", "[0,0]") + "}", 0),
                 "tensor \"a\" has 0 bytes");
  for (const char* offsets : {"[]", "[24]", "[0,24,24]", "[24,0]", "[18446744073709551615,24]"}) {
    CAPTURE(offsets);
    expect_entries_refused(entry("a", "F32", "[6]", offsets),
                           "tensor \"a\": data_offsets must be a begin and an end");
  }
  expect_entries_refused(entry("a", "F32", "[6]", "[0,25]"),
                         "tensor \"a\" ends at byte 25, but the file's data has 24 bytes (the file "
                         "is damaged or not complete)");
  expect_entries_refused(entry("a", "F32", "[6]", "[0,18446744073709551615]"),
                         "tensor \"a\" ends at");
  const std::string a = entry("a", "F32", "[2]", "[0,8]");
  expect_entries_refused(a + "," + entry("b", "F32", "[4]", "[4,20]"),
                         "tensor \"b\" begins at byte 4 of the data, not at 8");
  expect_entries_refused(a + "," + entry("b", "F32", "[3]", "[12,24]"),
                         "tensor \"b\" begins at byte 12 of the data, not at 8");
  expect_entries_refused(entry("b", "F32", "[4]", "[8,24]"), "tensor \"b\" begins at byte 8");
  expect_entries_refused(a + "," + entry("b", "F32", "[2]", "[0,8]"),
                         "tensor \"b\" begins at byte 0");
  expect_entries_refused(a, "16 bytes follow the last tensor");
  expect_entries_refused("", "24 bytes follow the last tensor");
  const std::string wide = bytes_of(1ull << 31, 8), name(1000, 'n');
  const std::string header = "{" + entry(name, "I64", "[1]", "[0,8]") + "}";
  expect_refused(bytes_of(header.size(), 8) + header + wide, "tensor \"nnn");
  expect_refused(bytes_of(header.size(), 8) + header + wide,
                 "tensor \"" + std::string(80, 'n') + "...\" contains 2147483648");
}

TEST_CASE("safetensors: a damaged file is refused or read, never worse") {
  const TemporaryFolder folder;
  const std::string path = folder / "x";
  save_safetensors(path, {{"w", tensor({{1, 2, 3}, {4, 5, 6}})}, {"e", zeros({0, 2})}},
                   {{"format", "pt"}}, {{"i", indices({1, 2})}});
  const std::string whole = read(path);
  int refused = 0, read_anyway = 0;
  const auto attempt = [&](const std::string& bytes) {
    write(path, bytes);
    try {
      load_safetensors(path);
      ++read_anyway;
    } catch (const std::runtime_error& error) {
      ++refused;
      if (!std::string(error.what()).starts_with(path + ": ")) FAIL(error.what());
    }
  };
  for (std::size_t size = 0; size < whole.size(); ++size) attempt(whole.substr(0, size));
  CHECK(read_anyway == 0);
  CHECK(refused == static_cast<int>(whole.size()));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (int change : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      attempt(bytes);
    }
    attempt(whole.substr(0, i) + whole.substr(i + 1));
    attempt(whole.substr(0, i) + '9' + whole.substr(i));
    attempt(whole.substr(0, i) + whole.substr(i / 2));
  }
  CHECK(read_anyway > 100);  // changed data, and changed names
  CHECK(refused > 1000);
}

TEST_CASE("safetensors: refuses tensors that cannot be saved") {
  const TemporaryFolder folder;
  const std::string path = folder / "x";
  const Tensor x = ones({2});
  CHECK_THROWS_WITH_AS(save_safetensors(path, {{"a", x}, {"a", x}}),
                       doctest::Contains("the name \"a\" occurs twice"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(save_safetensors(path, {{"a", x}}, {}, {{"a", indices(1)}}),
                       doctest::Contains("the name \"a\" occurs twice"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(save_safetensors(path, {{"__metadata__", x}}),
                       doctest::Contains("is reserved"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(save_safetensors(path, {{"a", Tensor()}}),
                       doctest::Contains("tensor \"a\" is undefined"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(save_safetensors(path, {{"\xff", x}}), doctest::Contains("not valid UTF-8"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(save_safetensors(path, {}, {{"a", "\x80"}}),
                       doctest::Contains("not valid UTF-8"), std::invalid_argument);
  CHECK(!fs::exists(path));  // arguments are checked before the file is opened
  CHECK_THROWS_WITH_AS(save_safetensors(folder.path.string(), {{"a", x}}),
                       doctest::Contains("cannot be written: Is a directory"), std::runtime_error);
  CHECK_THROWS_WITH_AS(save_safetensors(folder / "no" + "/x", {{"a", x}}),
                       doctest::Contains("cannot be written: No such file"), std::runtime_error);
  if (fs::exists("/dev/full")) {  // a disk that is always full; small files fail last, on flushing
    for (Index size : {1, 1'000'000}) {
      CHECK_THROWS_WITH_AS(save_safetensors("/dev/full", {{"a", ones({size})}}),
                           doctest::Contains("/dev/full: cannot be written: No space left"),
                           std::runtime_error);
    }
  }
}
