// flags of answers: -fsanitize=alignment,signed-integer-overflow
#include "tutorials/common/check.h"

#include "pocket/weights.h"

using namespace pocket;
using gradus::as_library, gradus::green, gradus::red;

namespace {

bool misaligned = false;  // a number was read where none may be
bool overflowed = false;  // a signed sum or product left its type

std::string bytes_of(const std::vector<float>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size()};
}

Flat header_of(const std::string& name, const std::vector<std::string>& sizes,
               const std::string& begin, const std::string& end, const std::string& dtype = "F32") {
  Flat header{{name + "/dtype", dtype},
              {name + "/shape", "[]"},
              {name + "/data_offsets/0", begin},
              {name + "/data_offsets/1", end},
              {"other/dtype", "F32"},
              {"other/shape", "[]"},
              {"other/shape/0", "3"},
              {"other/data_offsets/0", "0"},
              {"other/data_offsets/1", "12"}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    header[name + "/shape/" + std::to_string(i)] = sizes[i];
  }
  return header;
}

Tensor read(const std::string& what, const Flat& header, const std::string& data) {
  try {
    return read_tensor(header, "a.b", data);
  } catch (const std::invalid_argument& error) {
    red(what, ": refused: ", error.what());
  }
}

/// Reads the numbers from the one at `first` on, in front of which are `odd` more bytes; `after` is
/// how many numbers follow them.
void reads(const std::string& what, const Shape& shape, std::size_t first, Scalar scale = 1,
           std::size_t odd = 0, std::size_t after = 3) {
  const std::size_t end = first + std::size_t(shape.size());
  std::vector<float> numbers(end + after);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = scale * (float(i) - 2.5f);
  std::vector<std::string> sizes;
  for (const Index n : shape) sizes.push_back(std::to_string(n));
  const Flat header =
      header_of("a.b", sizes, std::to_string(odd + 4 * first), std::to_string(odd + 4 * end));
  const Tensor got = read(what, header, std::string(odd, 'x') + bytes_of(numbers));
  if (!got.defined()) red(what, ": the result is undefined");
  if (misaligned) {
    red(what,
        ": was read through a pointer to float at an address that is no multiple of 4, which C++ "
        "does not allow");
  }
  if (got.requires_grad()) red(what, ": the result needs a gradient");
  const bool deep = shape.rank() > 8;  // more axes than the library has: their numbers alone
  if (deep && got.shape() != shape) {
    red(what, ": has another shape",
        (got.shape().rank() < shape.rank() ? ", with fewer axes" : ""));
  }
  const auto seen = [&](const Tensor& x) { return as_library(deep ? reshape(x, {-1}) : x); };
  const Tensor right = tensor(shape, {numbers.data() + first, numbers.data() + end});
  gradus::expect(what, seen(got), seen(right), "", 1e-6 * scale);
}

/// Reads a header that must be refused, beside the data, 24 bytes by default.
void refuses(const std::string& what, const Flat& header, std::size_t numbers = 6) {
  const std::string data = bytes_of(std::vector<float>(numbers, 1));
  try {
    read_tensor(header, "a.b", data);
  } catch (const std::invalid_argument& error) {
    const std::string said = error.what();
    if (said.find("a.b") == std::string::npos) {
      red(what, ": refused, but the message does not name the tensor: ", said);
    }
    return green(what, " is refused");
  } catch (const std::exception& error) {  // of the standard library, such as stoll's
    const std::string said = error.what();
    if (said.starts_with("exercise ")) throw;
    red(what, ": ended with ", said, ", and not with std::invalid_argument");
  }
  red(what, " was read");
}

void refuses(const std::string& what, const std::vector<std::string>& sizes,
             const std::string& begin, const std::string& end, const std::string& dtype = "F32",
             std::size_t numbers = 6) {
  refuses(what, header_of("a.b", sizes, begin, end, dtype), numbers);
}

/// Refuses a header without an entry, also where another tensor's name ends as this one does.
void refuses_without(const std::string& entry, bool moved = false) {
  Flat header = header_of("a.b", {}, "0", "4");
  if (moved) header["x.a.b/" + entry] = header.at("a.b/" + entry);
  header.erase("a.b/" + entry);
  refuses("no " + entry + (moved ? ", but one of x.a.b" : ""), header);
}

/// Numbers are copied unchanged, also -inf in a mask, and NaN from failed training.
void keeps_what_is_not_finite() {
  const std::vector<float> numbers{1.5f, -INFINITY, NAN, INFINITY};
  const std::string what = "numbers that are not finite";
  const Tensor got = read(what, header_of("a.b", {"4"}, "0", "16"), bytes_of(numbers));
  for (Index i = 0; i < 4; ++i) {
    const float right = numbers[std::size_t(i)], x = got.data()[i];
    if (std::isnan(right) ? std::isnan(x) : x == right) continue;
    red(what, ": ", right, " became ", x);
  }
  green(what);
}

}  // namespace

/// Called when an answer reads or writes at an address that is not aligned for its type.
extern "C" void __ubsan_handle_type_mismatch_v1(void*, void*) { misaligned = true; }

/// And when signed integers overflow; the result wraps.
extern "C" void __ubsan_handle_add_overflow(void*, void*, void*) { overflowed = true; }
extern "C" void __ubsan_handle_sub_overflow(void*, void*, void*) { overflowed = true; }
extern "C" void __ubsan_handle_mul_overflow(void*, void*, void*) { overflowed = true; }
extern "C" void __ubsan_handle_negate_overflow(void*, void*) { overflowed = true; }
extern "C" void __ubsan_handle_divrem_overflow(void*, void*, void*) { overflowed = true; }

CHECK_ANSWER() {
  reads("six numbers, [2, 3]", {2, 3}, 0);
  reads("twenty-four numbers from the middle", {2, 3, 4}, 5);
  reads("one number of shape []", {}, 2);
  reads("no numbers, [0, 4]", {0, 4}, 1);
  reads("large numbers", {7}, 1, 1e4f);
  for (const std::size_t axes : {8, 9, 11, 100}) {
    Shape many(axes, 1);
    many.front() = 2, many.back() = 5;
    reads(std::to_string(axes) + " axes", many, 3);
  }
  reads("no numbers, [0, 32]", {0, 32}, 1);
  reads("no numbers, [4, 0]", {4, 0}, 1);
  reads("three numbers from byte 2 on", {3}, 0, 1, 2);
  reads("six numbers, to the last byte", {2, 3}, 4, 1, 0, 0);
  reads("no numbers, [0], after the last byte", {0}, 6, 1, 0, 0);
  refuses("BF16", {"6"}, "0", "24", "BF16");
  refuses("I32, as long as F32", {"6"}, "0", "24", "I32");
  refuses("F64, as short as F32", {"6"}, "0", "24", "F64");
  refuses("F32x", {"6"}, "0", "24", "F32x");
  refuses("TF32", {"6"}, "0", "24", "TF32");
  refuses("an end beyond the data", {"7"}, "0", "28");
  refuses("a beginning beyond the data", {"0"}, "28", "28");
  refuses("a tensor that begins within the data and ends beyond", {"3"}, "16", "28");
  refuses("a tensor that begins where the data ends", {"6"}, "24", "48");
  refuses("offsets beyond 2^32", {"6"}, "4294967296", "4294967320");
  refuses("an end before the beginning", {"1"}, "8", "4");
  refuses("fewer numbers than bytes", {"5"}, "0", "24");
  refuses("more numbers than bytes", {"7"}, "0", "24");
  refuses("2^50 numbers in 8 bytes", {"1125899906842624"}, "0", "8");
  refuses("2^50 numbers in no bytes", {"1125899906842624"}, "0", "0");
  refuses("no numbers, with an end before the beginning", {"0"}, "16", "8");
  refuses("no numbers, [0], in 24 bytes", {"0"}, "0", "24");
  refuses("no numbers, [0, 4], in 24 bytes", {"0", "4"}, "0", "24");
  refuses("a half number", {"5"}, "0", "23");
  refuses("a shape of 2^64 numbers", {"4294967296", "4294967296"}, "0", "0");
  refuses("a shape of 2^62 numbers", {"2147483648", "2147483648"}, "0", "0");
  refuses("a shape of 0 times 2^64 numbers", {"0", "4294967296", "4294967296"}, "0", "0");
  refuses("a shape of 2^64 numbers, but for a 0 between", {"4294967296", "0", "4294967296"}, "0",
          "0");
  refuses("a shape that wraps to 24 numbers", {"20", "922337203685477582"}, "0", "96", "F32", 24);
  refuses("64 sizes of 4", std::vector<std::string>(64, "4"), "0", "0");
  refuses_without("dtype"), refuses_without("shape");
  refuses("a size of -6", {"-6"}, "0", "24");
  refuses("sizes of -2 and -1", {"-2", "-1"}, "0", "8");
  refuses("a size of 2.9", {"2.9"}, "0", "8");
  refuses("a size of 2x", {"2x"}, "0", "8");
  for (const std::string size : {"", " 2", "+2", "2e0", "0x2", "18446744073709551618"}) {
    refuses("a size of \"" + size + "\"", {size}, "0", "8");
  }
  reads("no numbers, [0, 2^32]", {0, Index(1) << 32}, 1);
  Flat odd = header_of("a.b", {"2"}, "0", "8");
  odd["a.b/shape"] = "{}";
  refuses("a shape that is an object with a \"0\"", odd);
  odd = header_of("a.b", {}, "0", "4"), odd["a.b/shape"] = "2";
  refuses("a shape that is a number", odd);
  refuses("an empty beginning", {"6"}, "", "24");
  refuses("an empty end", {"6"}, "0", "");
  refuses("an end of 24x", {"6"}, "0", "24x");
  refuses_without("data_offsets/0"), refuses_without("data_offsets/1");
  for (const std::string entry : {"dtype", "shape", "data_offsets/1"}) refuses_without(entry, true);
  reads("no numbers, [0, 2^59]", {0, Index(1) << 59}, 1);
  odd = header_of("a.b", {"6"}, "0", "24"), odd["a.b/data_offsets/2"] = "28";
  read("three offsets", odd, bytes_of(std::vector<float>(6, 1)));
  green("three offsets");
  keeps_what_is_not_finite();
  if (overflowed) {
    red("sizes: refused, but only after a signed integer overflow, which is undefined behaviour");
  }
  green("no signed integer overflow");
}
