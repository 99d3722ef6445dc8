/// @file
/// The printing of chapter 26's tables.
#pragma once

#include <string>
#include <vector>

using Columns = std::vector<std::vector<double>>;  // of a row of a table: each column's seeds

/// The line above: the names of the columns.
void print_heads(const std::string& rows, const std::vector<std::string>& columns);
/// A line: a name, and each column, with that many decimals. Several seeds print as their mean and
/// range.
void print_row(const std::string& name, const Columns& columns, const std::vector<int>& decimals);
