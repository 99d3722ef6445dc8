/// @file
/// Images and labels in IDX files. The first byte of an input says whether the rest is the file, or
/// is packed as a .gz first, whole, cut short or twice.
#include <zlib.h>

#include "nn/data/readers.h"
#include "tests/fuzz/fuzz.h"

namespace gradus {
namespace {

std::string packed(std::string_view bytes) {
  z_stream stream{};
  holds(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK,
        "zlib begins");
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  holds(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib ends");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

void fuzz(std::string_view input) {
  static const FuzzFolder folder("images");
  if (input.empty()) return;
  const char how = input[0];
  input.remove_prefix(1);
  std::string bytes(input);
  if (how == 'z' || how == 'c' || how == 't') bytes = packed(input);
  if (how == 'c') bytes.resize(bytes.size() - std::min<std::size_t>(bytes.size(), 3));
  if (how == 't') bytes += bytes;
  const std::string file = folder.file("a", bytes);
  Tensor images;
  if (accepts([&] { images = read_idx_images(file); })) {
    holds(images.rank() == 3, "images are [N, H, W]");
    for (const Scalar value : images.values())
      holds(value >= 0 && value <= 1, "a pixel is from 0 to 1");
    Tensor again;
    holds(how != 'z' || (accepts([&] { again = read_idx_images(folder.file("b", input)); }) &&
                         are_same(images, again)),
          "a .gz has the images of the file in it");
  }
  IndexTensor labels;
  if (accepts([&] { labels = read_idx_labels(file); })) {
    for (const std::int32_t label : labels) holds(label >= 0 && label <= 255, "a label is a byte");
  }
  accepts([&] { static_cast<void>(read_idx_pair(file, file)); });
}

}  // namespace gradus
