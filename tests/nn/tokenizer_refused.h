/// @file
/// Tokenizer files that must not be read.
#pragma once

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "nn/files/tokenizer_files.h"
#include "nn/text/tokenizer.h"

namespace gradus {

/// Checks that reading such a file is an error with this cause.
inline void expect_refused(const std::string& json, const std::string& cause) {
  CAPTURE(json);
  CHECK_THROWS_WITH_AS(tokenizer_from_json(json, "tokenizer.json"),
                       ("tokenizer.json: not a tokenizer: " + cause).c_str(), std::runtime_error);
}

}  // namespace gradus
