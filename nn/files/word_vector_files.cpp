#include "nn/files/word_vector_files.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <unordered_set>

#include "autograd/check.h"
#include "nn/text/file.h"
#include "nn/text/lines.h"

namespace gradus {
using namespace detail;
namespace {

/// The largest file that is read, in bytes. glove.840B.300d has 5.6 GB.
constexpr std::size_t kLargestVectors = std::size_t{1} << 33;

/// Whether all of `field` is a decimal number. If so, stores it in `number`: an infinity, NaN, or a
/// number too large for a Scalar as a value that is not finite.
bool parse(std::string_view field, Scalar& number) {
  if (field.starts_with('+')) field.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error == std::errc::invalid_argument || end != field.data() + field.size()) return false;
  // The number is too large or too small. strtod() distinguishes these cases, from_chars() does
  // not.
  const bool is_beyond = error == std::errc::result_out_of_range;
  if (is_beyond) value = std::strtod(std::string(field).c_str(), nullptr);
  number = static_cast<Scalar>(value);
  return true;
}

/// Removes the part of a line after its last blank, and this blank, and returns the part. Takes the
/// whole line if there is no blank.
std::string_view take_last(std::string_view& line) {
  const std::size_t blank = line.rfind(' ');
  const std::string_view field = blank == line.npos ? line : line.substr(blank + 1);
  line = line.substr(0, blank == line.npos ? 0 : blank);
  return field;
}

std::size_t blanks(std::string_view line) {
  return static_cast<std::size_t>(std::ranges::count(line, ' '));
}

std::string_view without_last_blanks(std::string_view line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// The first line of word2vec's and fastText's files.
struct Header {
  std::size_t words, channels;
};

std::optional<Header> header_of(std::string_view bytes) {
  std::vector<std::string_view> lines;
  const std::size_t second_end = bytes.find('\n', std::min(bytes.find('\n'), bytes.size() - 1) + 1);
  for_each_line(bytes.substr(0, second_end),
                [&](std::string_view line, bool) { lines.push_back(without_last_blanks(line)); });
  if (lines.size() < 2 || blanks(lines[0]) != 1 || blanks(lines[1]) < 2) return std::nullopt;
  Header header{};
  const char* end = lines[0].data() + lines[0].size();
  const auto first = std::from_chars(lines[0].data(), end, header.words);
  if (first.ec != std::errc() || *first.ptr != ' ') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, header.channels);
  if (second.ec != std::errc() || second.ptr != end || header.channels == 0) return std::nullopt;
  return header;
}

class Reader {
 public:
  explicit Reader(const std::string& file)
      : file_(file), bytes_(read_text_file(file, kLargestVectors)), header_(header_of(bytes_)) {}

  WordVectors read(const std::function<void(const std::string&)>& remark) {
    channels_ = header_ ? header_->channels : 0;
    for_each_line(bytes_, [&](std::string_view line, bool is_last) {
      const bool is_header = ++number_ == 1 && header_;
      if (!is_header && !(line.empty() && is_last)) read_line(without_last_blanks(line));
    });
    if (words_.empty()) throw std::runtime_error(file_ + ": is empty (use a file of vectors)");
    if (remark) make_remarks(remark);
    const Shape shape{static_cast<Index>(words_.size()), static_cast<Index>(channels_)};
    return {std::move(words_), tensor(shape, values_)};
  }

 private:
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    throw std::runtime_error(text(file_, ": line ", number_, ": ", parts...));
  }

  const char* source_of_channels() const {
    return header_ ? "that the header asks for" : "that the first line has";
  }

  void read_line(std::string_view line) {
    if (channels_ == 0) {
      channels_ = blanks(line);
      if (channels_ == 0)
        fail("has no numbers (write a word and its numbers, with blanks between)");
    }
    if (blanks(line) < channels_) {
      fail("has ", blanks(line), " of the ", channels_, " numbers ", source_of_channels());
    }
    const std::size_t first = values_.size();
    values_.resize(first + channels_);
    for (std::size_t i = channels_; i-- > 0;) {
      const std::string_view field = take_last(line);
      Scalar& value = values_[first + i];
      if (!parse(field, value)) fail("'", field, "' is not a number");
      if (!std::isfinite(value)) fail("'", field, "' is not finite");
    }
    if (line.empty()) fail("has no word before its numbers");
    // A word may contain blanks, but a word that ends in a number means that the line has an extra
    // number.
    Scalar ignored;
    std::string_view head = line;
    const std::string_view tail = take_last(head);
    if (!head.empty() && parse(tail, ignored)) {
      fail("has more than the ", channels_, " numbers ", source_of_channels());
    }
    if (seen_.insert(line).second) {
      words_.emplace_back(line);
      return;
    }
    values_.resize(first);
    if (repeats_++ == 0) {
      first_repeat_ = text("line ", number_, ": the word '", line, "' occurs twice");
    }
  }

  void make_remarks(const std::function<void(const std::string&)>& remark) const {
    const std::size_t lines = words_.size() + repeats_;
    if (header_ && header_->words != lines) {
      remark(text(file_, ": line 1: the header gives ", header_->words, " words, but ", lines,
                  " lines follow"));
    }
    if (repeats_ > 0) {
      remark(text(file_, ": ", first_repeat_, "; the first vector of each word is used (", repeats_,
                  repeats_ == 1 ? " such line)" : " such lines)"));
    }
  }

  std::string file_, bytes_;
  std::optional<Header> header_;
  std::size_t number_ = 0, channels_ = 0, repeats_ = 0;
  std::string first_repeat_;
  std::unordered_set<std::string_view> seen_;  // views of bytes_
  std::vector<std::string> words_;
  std::vector<Scalar> values_;
};

/// Whether a word, once written, is read back as the same word.
bool can_be_read(std::string_view word) {
  Scalar ignored;
  std::string_view head = word;
  const std::string_view tail = take_last(head);
  return !word.empty() && word.find_first_of("\r\n") == word.npos &&
         (word.find(' ') == word.npos || !(head.empty() || parse(tail, ignored)));
}

}  // namespace

WordVectors read_word_vectors(const std::string& file,
                              const std::function<void(const std::string&)>& remark) {
  return Reader(file).read(remark);
}

void write_word_vectors(const std::string& file, const WordVectors& vectors, int digits) {
  const Tensor& table = vectors.vectors;
  check(table.defined() && table.rank() == 2 && table.size(1) >= 1 &&
            static_cast<std::size_t>(table.size(0)) == vectors.words.size(),
        "write_word_vectors: needs vectors [V, C] for ", vectors.words.size(), " words");
  check(digits >= 0 && digits <= 17, "write_word_vectors: digits must be in [0, 17], got ", digits);
  std::string lines;
  std::unordered_set<std::string_view> seen;
  const Scalar* value = table.data();
  for (std::size_t i = 0; i < vectors.words.size(); ++i) {
    const std::string& word = vectors.words[i];
    // The first line sets the number of columns, so the first word may not contain blanks.
    check(can_be_read(word) && (i > 0 || word.find(' ') == word.npos), "write_word_vectors: '",
          word, "' could not be read back as a word (leave it out)");
    check(seen.insert(word).second, "write_word_vectors: '", word,
          "' occurs twice (leave one of them out)");
    lines += word;
    for (Index c = 0; c < table.size(1); ++c, ++value) {
      check(std::isfinite(*value), "write_word_vectors: '", word, "' has a number that is ",
            *value);
      char number[400];
      std::snprintf(number, sizeof number, " %.*f", digits, static_cast<double>(*value));
      lines += number;
    }
    lines += '\n';
  }
  write_file(file, lines);
}

}  // namespace gradus
