#include "nn/data/readers.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <stdexcept>
#include <unordered_map>

#include "autograd/check.h"
#include "nn/data/corpus.h"
#include "nn/text/file.h"
#include "nn/text/lines.h"
#include "nn/text/utf8.h"

namespace gradus {
using namespace detail;
namespace {

/// A text of lines with fields. Error messages name the line.
class Lines {
 public:
  explicit Lines(const std::string& file) : file_(file) {
    text_.append(file, read_file(file, kLargestText));
    try {
      utf8_decode(text_.bytes());
    } catch (const TextError& error) {
      throw text_.blame(error);
    }
  }

  /// Calls body(fields) for each line that is not blank.
  template <class Body>
  void each(const Body& body) {
    for_each_line(text_.bytes(), [&](std::string_view line, bool) {
      ++number_;
      if (!line.empty()) body(fields(line));
    });
    if (items_ == 0) throw std::runtime_error(file_ + ": has only blank lines");
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw std::runtime_error(text(file_, ": line ", number_, ": ", problem));
  }

 private:
  std::vector<std::string> fields(std::string_view line) {
    std::vector<std::string> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find('\t', begin), line.size());
      fields.emplace_back(line.substr(begin, end - begin));
      if (fields.back().empty()) {
        fail(text("field ", fields.size(),
                  " is empty (write a text in each field, with one tab between fields)"));
      }
      begin = end + 1;
    }
    ++items_;
    return fields;
  }

  std::string file_;
  Text text_;
  std::size_t number_ = 0, items_ = 0;
};

// IDX: two zero bytes, the type (8 for bytes), the number of axes, then each size in four bytes,
// the highest first, then the elements.

constexpr char kBytes = 8;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return number;
}

/// A file that may be compressed with gzip, read piece by piece, since its unpacked size cannot be
/// trusted.
class PackedFile {
 public:
  explicit PackedFile(const std::string& name) : name_(name), file_(nullptr, &gzclose_r) {
    errno = 0;
    file_.reset(gzopen(name.c_str(), "rb"));
    if (!file_ && errno == 0) throw std::bad_alloc();
    if (!file_) fail_to_read(name, errno);
  }

  /// Reads this many bytes, or fewer if the file ends earlier.
  std::string read(std::size_t count) {
    constexpr std::size_t kPiece = 1 << 20;
    std::string bytes;
    while (bytes.size() < count) {
      const std::size_t before = bytes.size(), wanted = std::min(kPiece, count - before);
      bytes.resize(before + wanted);
      const int got = gzread(file_.get(), bytes.data() + before, static_cast<unsigned>(wanted));
      bytes.resize(before + static_cast<std::size_t>(std::max(got, 0)));
      check_readable();
      if (got == 0) break;
    }
    return bytes;
  }

 private:
  void check_readable() const {
    int error = Z_OK;
    const std::string reason = gzerror(file_.get(), &error);
    if (error == Z_ERRNO) fail_to_read(name_, errno);
    if (error == Z_MEM_ERROR) throw std::bad_alloc();
    if (error == Z_OK || error == Z_STREAM_END) return;
    // zlib puts the file's name before its reason.
    throw std::runtime_error(text(
        name_, ": cannot be unpacked: ", reason.substr(std::min(reason.size(), name_.size() + 2)),
        " (the .gz is incomplete or damaged: download it again)"));
  }

  std::string name_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
};

/// An IDX file of bytes with this many axes.
class IdxFile {
 public:
  /// Opens the file and reads its header.
  IdxFile(const std::string& name, std::size_t axes, const char* what)
      : name_(name), packed_(name) {
    const std::size_t size_of_header = 4 + 4 * axes;
    const std::string header = packed_.read(size_of_header);
    if (header.size() < size_of_header) {
      fail("needs the ", size_of_header, " bytes of the header of an IDX file of ", what, ", got ",
           header.size(), " (use the whole file)");
    }
    const std::string magic = {0, 0, kBytes, static_cast<char>(axes)};
    if (!header.starts_with(magic)) {
      fail("an IDX file of ", what, " must start with ", number_at(magic, 0), ", got ",
           number_at(header, 0));
    }
    for (std::size_t at = 4; at < size_of_header; at += 4) {
      const std::size_t size = number_at(header, at);
      if (size == 0) fail("the size at byte ", at, " must not be 0");
      if (claimed_ > kLargestText / size) {
        fail("the sizes up to byte ", at + 4, " ask for more than ", kLargestText,
             " bytes (use a part of the data, or check that this is an IDX file)");
      }
      claimed_ *= size;
      sizes_.push_back(static_cast<Index>(size));
    }
  }

  const std::vector<Index>& sizes() const { return sizes_; }

  /// Reads the elements. Their number must equal the number in the header.
  std::string bytes() {
    // The checksum of a .gz is at its end, after the last element.
    std::string bytes = packed_.read(claimed_ + 1);
    if (bytes.size() != claimed_) {
      const bool more = bytes.size() > claimed_;
      fail("the header asks for ", claimed_, " bytes, but ",
           more ? "more" : text("only ", bytes.size()), " follow it (the file is ",
           more ? "damaged" : "incomplete", ", or not an IDX file)");
    }
    return bytes;
  }

 private:
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    throw std::runtime_error(text(name_, ": ", parts...));
  }

  std::string name_;
  PackedFile packed_;
  std::vector<Index> sizes_;
  std::size_t claimed_ = 1;
};

Tensor images_of(IdxFile& file) {
  const std::string bytes = file.bytes();
  const Tensor images{Shape(file.sizes())};
  std::transform(bytes.begin(), bytes.end(), images.mutable_data(),
                 [](char c) { return static_cast<Scalar>(static_cast<unsigned char>(c)) / 255; });
  return images;
}

IndexTensor labels_of(IdxFile& file) {
  const std::string bytes = file.bytes();
  IndexTensor labels{Shape(file.sizes())};
  std::transform(bytes.begin(), bytes.end(), labels.mutable_data(),
                 [](char c) { return static_cast<unsigned char>(c); });
  return labels;
}

std::string without_blanks_around(const std::string& field) {
  const std::size_t begin = field.find_first_not_of(' ');
  return begin == field.npos ? "" : field.substr(begin, field.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

std::vector<SentencePair> read_pairs(const std::string& file) {
  std::vector<SentencePair> pairs;
  std::unordered_map<std::string, std::size_t> index_of;
  Lines lines(file);
  lines.each([&](const std::vector<std::string>& fields) {
    if (fields.size() < 2) lines.fail("has no tab (write source, tab, target)");
    const auto [place, is_new] = index_of.emplace(fields[0], pairs.size());
    if (is_new) pairs.push_back({fields[0], {}});
    std::vector<std::string>& targets = pairs[place->second].targets;
    for (std::size_t i = 1; i < fields.size(); ++i) {
      if (std::ranges::find(targets, fields[i]) == targets.end()) targets.push_back(fields[i]);
    }
  });
  return pairs;
}

std::vector<Preference> read_preferences(const std::string& file) {
  std::vector<Preference> preferences;
  Lines lines(file);
  lines.each([&](std::vector<std::string> fields) {
    if (fields.size() != 3) {
      lines.fail(
          text("needs 3 fields, got ", fields.size(), " (write `prompt TAB better TAB worse`)"));
    }
    preferences.push_back(
        {fields[0], parted_answer(fields[0], fields[1]), parted_answer(fields[0], fields[2])});
  });
  return preferences;
}

std::string parted_answer(const std::string& prompt, const std::string& answer) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\r'; };
  return (is_space(prompt.back()) || is_space(answer.front()) ? "" : " ") + answer;
}

LabelledSet read_labelled(const std::string& file, const std::vector<std::string>& labels) {
  LabelledSet set{labels, {}};
  std::vector<std::string> found;  // the label of each item
  Lines lines(file);
  lines.each([&](const std::vector<std::string>& fields) {
    if (fields.size() != 2) {
      lines.fail(text("must have one tab, got ", fields.size() - 1, " (write label, tab, text)"));
    }
    const std::string label = without_blanks_around(fields[0]);
    if (label.empty()) lines.fail("the label is blank (write label, tab, text)");
    if (!labels.empty() && std::ranges::find(labels, label) == labels.end()) {
      lines.fail("the label '" + label + "' is not in the training data");
    }
    found.push_back(label);
    set.items.push_back({fields[1], 0});
  });
  if (labels.empty()) {
    set.labels = found;
    std::ranges::sort(set.labels);
    set.labels.erase(std::unique(set.labels.begin(), set.labels.end()), set.labels.end());
  }
  std::unordered_map<std::string, int> numbers;
  for (const std::string& label : set.labels) {
    numbers.emplace(label, static_cast<int>(numbers.size()));
  }
  for (std::size_t i = 0; i < found.size(); ++i) set.items[i].label = numbers.at(found[i]);
  return set;
}

Tensor read_idx_images(const std::string& file) {
  IdxFile idx(file, 3, "images");
  return images_of(idx);
}

IndexTensor read_idx_labels(const std::string& file) {
  IdxFile idx(file, 1, "labels");
  return labels_of(idx);
}

std::pair<Tensor, IndexTensor> read_idx_pair(const std::string& images, const std::string& labels) {
  IdxFile pictures(images, 3, "images"), numbers(labels, 1, "labels");
  const Index count = pictures.sizes()[0];
  if (count != numbers.sizes()[0]) {
    throw std::runtime_error(text(images, ": the number of images is ", count,
                                  ", the number of labels in ", labels, " is ", numbers.sizes()[0],
                                  " (use the two files of one set)"));
  }
  IndexTensor classes = labels_of(numbers);  // the labels first: an image takes more bytes
  return {images_of(pictures), std::move(classes)};
}

}  // namespace gradus
