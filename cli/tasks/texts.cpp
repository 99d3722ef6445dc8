#include "cli/tasks/texts.h"

#include <cstdio>

#include "autograd/check.h"
#include "cli/program/command.h"
#include "cli/program/display.h"

namespace gradus {
using namespace detail;

void note_folded(const std::string& name, std::size_t line_ends) {
  if (line_ends > 0) {
    note(text(name, ": ", counted(static_cast<long>(line_ends), "line end"), " CR LF read as LF (",
              kKeepCrlf, " keeps them in train, eval and tokenize)"));
  }
}

std::vector<std::string> or_default_text(const std::vector<std::string>& names) {
  return names.empty() ? std::vector<std::string>{"tales"} : names;
}

Text read_texts(const std::vector<std::string>& names, bool keep_crlf) {
  Text read = read_text(or_default_text(names), stdin, kLargestText,
                        keep_crlf ? LineEnds::kKeep : LineEnds::kFold);
  note_folded(read.name(), read.folded());
  return read;
}

}  // namespace gradus
