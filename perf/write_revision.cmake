# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Writes the definition of perf::revision(), at each build of a program that has it, so that no table names the revision
# of an older configuration: cmake -DSOURCE=... -DGIT=... -DOUTPUT=... -P write_revision.cmake

cmake_minimum_required(VERSION 3.23)

set(revision "")
if(GIT)
  execute_process(
    COMMAND "${GIT}" describe --always --dirty
    WORKING_DIRECTORY "${SOURCE}"
    OUTPUT_VARIABLE revision
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
  )
endif()
if(revision STREQUAL "")  # not a checkout
  set(revision "unknown")
endif()
# A file that says the same stays as it is, and nothing is compiled.
string(JOIN "\n" text "namespace perf {" "char const* revision();" "char const* revision() { return \"@revision@\"; }"
       "}  // namespace perf" "")
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${text}" @ONLY)
