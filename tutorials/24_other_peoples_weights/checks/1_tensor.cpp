#include <cstring>

#include "pocket/weights.h"
#include "tutorials/common/check.h"

using namespace pocket;
using gradus::as_library;
using gradus::green;
using gradus::red;

namespace {

std::string bytes_of(const std::vector<float>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size()};
}

Flat header_of(const std::string& name, const std::vector<std::string>& sizes,
               const std::string& begin, const std::string& end, const std::string& dtype = "F32") {
  Flat header{{name + "/dtype", dtype},        {name + "/data_offsets/0", begin},
              {name + "/data_offsets/1", end}, {"other/dtype", "F32"},
              {"other/shape/0", "3"},          {"other/data_offsets/0", "0"},
              {"other/data_offsets/1", "12"}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    header[name + "/shape/" + std::to_string(i)] = sizes[i];
  }
  return header;
}

void reads(const std::string& what, const std::vector<std::string>& sizes, const Shape& shape,
           std::size_t first, Scalar scale = 1) {
  std::vector<float> numbers(first + std::size_t(shape.size()) + 3);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = scale * (float(i) - 2.5f);
  const std::string data = bytes_of(numbers);
  const std::size_t end = first + std::size_t(shape.size());
  const Flat header = header_of("a.b", sizes, std::to_string(4 * first), std::to_string(4 * end));
  const Tensor got = read_tensor(header, "a.b", data);
  const std::vector<Scalar> part(numbers.begin() + std::ptrdiff_t(first),
                                 numbers.begin() + std::ptrdiff_t(end));
  const std::vector<Scalar> start(numbers.begin(), numbers.begin() + shape.size());
  gradus::expect(what, as_library(got), as_library(tensor(shape, part)),
                 {{as_library(tensor(shape, start)), "the numbers begin at byte `begin`"}},
                 1e-6 * scale);
}

void refuses(const std::string& what, const std::vector<std::string>& sizes,
             const std::string& begin, const std::string& end, const std::string& cause,
             const std::string& dtype = "F32") {
  const std::string data = bytes_of(std::vector<float>(6, 1));
  try {
    read_tensor(header_of("a.b", sizes, begin, end, dtype), "a.b", data);
  } catch (const std::invalid_argument& error) {
    if (std::string(error.what()).find("a.b") == std::string::npos) {
      red(what + ": refused, but the message does not name the tensor: " + error.what());
    }
    green(what + " is refused");
    return;
  } catch (const std::exception& error) {
    if (std::string(error.what()).starts_with("exercise ")) throw;
    red(what + ": ended with " + error.what() + "\nlikely cause: " + cause);
  }
  red(what + " was read\nlikely cause: " + cause);
}

}  // namespace

int main() {
  return gradus::run_check([] {
    reads("six numbers, [2, 3]", {"2", "3"}, {2, 3}, 0);
    reads("twenty-four numbers from the middle", {"2", "3", "4"}, {2, 3, 4}, 5);
    reads("one number of shape []", {}, {}, 2);
    reads("no numbers, [0, 4]", {"0", "4"}, {0, 4}, 1);
    reads("large numbers", {"7"}, {7}, 1, 1e4f);
    std::vector<std::string> ones(7, "1");
    ones.push_back("5");
    Shape many(7, 1);
    many.push_back(5);
    reads("eight axes", ones, many, 3);
    refuses("BF16", {"6"}, "0", "24", "is dtype looked at?", "BF16");
    refuses("I32, as long as F32", {"6"}, "0", "24", "is dtype looked at?", "I32");
    refuses("an end beyond the data", {"7"}, "0", "28", "data has 24 bytes");
    refuses("a beginning beyond the data", {"0"}, "28", "28", "data has 24 bytes");
    refuses("an end before the beginning", {"1"}, "8", "4", "begin must not be behind end");
    refuses("fewer numbers than bytes", {"5"}, "0", "24", "the shape must need all of its bytes");
    refuses("more numbers than bytes", {"7"}, "0", "24", "the shape must need no more bytes");
    refuses("a half number", {"5"}, "0", "23", "4 bytes for each number, exactly");
    refuses("a shape of 2^64 numbers", {"4294967296", "4294967296"}, "0", "0",
            "2^64 is 0 in 64 bits: divide before you multiply");
    refuses("a shape of 2^62 numbers", {"2147483648", "2147483648"}, "0", "0",
            "4 times 2^62 is 0 in 64 bits: bound the sizes by the bytes");
    refuses("a shape of 0 times 2^64 numbers", {"0", "4294967296", "4294967296"}, "0", "0",
            "a size of 0 must not hide the others, or strides multiply beyond 64 bits");
    refuses("a size of -6", {"-6"}, "0", "24", "whole() refuses what is not digits");
    refuses("no beginning", {"6"}, "", "24", "whole() refuses what is not digits");
  });
}
