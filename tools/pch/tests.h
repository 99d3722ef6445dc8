// library.h and what every test includes.
#include <doctest/doctest.h>

#include "tools/pch/library.h"
