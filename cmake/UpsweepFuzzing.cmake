# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

include(CheckCXXSourceCompiles)

# Kokkos' compiler wrappers take no sanitizers.
if(NOT Kokkos_ENABLE_CUDA AND NOT Kokkos_ENABLE_HIP)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=address,undefined)
  check_cxx_source_compiles("int main() {}" UPSWEEP_HAS_ASAN_UBSAN)
  unset(CMAKE_REQUIRED_FLAGS)

  # libFuzzer comes with clang, which need not be the compiler of everything else.
  if(NOT DEFINED UPSWEEP_LIBFUZZER_COMPILER)
    find_program(UPSWEEP_CLANGXX NAMES clang++)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/has_libfuzzer.cpp")
    file(WRITE "${source}" "#include <cstddef>\n#include <cstdint>\n#include <string>\n"
                           "extern \"C\" int LLVMFuzzerTestOneInput(std::uint8_t const*, std::size_t) { return 0; }\n"
    )
    set(found "")
    foreach(compiler IN ITEMS "${CMAKE_CXX_COMPILER}" "${UPSWEEP_CLANGXX}")
      if(compiler AND NOT found)
        execute_process(
          COMMAND "${compiler}" -std=c++20 -fsanitize=fuzzer,address,undefined "${source}" -o "${source}.out"
          RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET
        )
        if(code EQUAL 0)
          set(found "${compiler}")
        endif()
      endif()
    endforeach()
    set(UPSWEEP_LIBFUZZER_COMPILER "${found}" CACHE INTERNAL "A compiler with libFuzzer, or nothing")
  endif()
endif()

# upsweep_fuzz_target(<name> SOURCES ... LIBRARIES ... CORPUS <folder>)
#
# SOURCES define LLVMFuzzerTestOneInput() and hold all the code under test, which is then compiled with the address and
# undefined-behaviour sanitizers where the compiler has them; LIBRARIES are linked as they are. CORPUS holds small
# inputs to start from. Makes
#   upsweep_fuzz_<name>, with a driver of our own: test fuzz_<name> replays the corpus and some thousand random changes
#     of it, the same ones on every run (tests/fuzz/driver.cpp);
#   upsweep_libfuzzer_<name>, where a compiler with libFuzzer was found: test fuzz_<name>_long lets it search for ten
#     minutes. Elsewhere the driver runs as long.
function(upsweep_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CORPUS" "SOURCES;LIBRARIES")
  set(options "ASAN_OPTIONS=abort_on_error=1;UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1")
  set(program upsweep_fuzz_${name})
  set(driver "${PROJECT_SOURCE_DIR}/tests/fuzz/driver.cpp")
  upsweep_program(${program} SOURCES "${driver}" ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES})
  target_compile_features(${program} PRIVATE cxx_std_20)
  target_include_directories(${program} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/tests")
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
  if(UPSWEEP_HAS_ASAN_UBSAN)
    target_compile_options(${program} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=all -g -O1)
    target_link_options(${program} PRIVATE -fsanitize=address,undefined)
  endif()
  add_test(NAME fuzz_${name} COMMAND ${program} "${arg_CORPUS}" --runs 3000)
  set_tests_properties(fuzz_${name} PROPERTIES TIMEOUT 120 ENVIRONMENT "${options}")

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}_found")
  file(MAKE_DIRECTORY "${folder}")
  if(UPSWEEP_LIBFUZZER_COMPILER)
    set(libraries "")
    foreach(library IN LISTS arg_LIBRARIES)
      get_target_property(type ${library} TYPE)
      if(NOT type STREQUAL "INTERFACE_LIBRARY")
        list(APPEND libraries "$<TARGET_LINKER_FILE:${library}>")
      endif()
    endforeach()
    set(sources "")
    foreach(source IN LISTS arg_SOURCES)
      get_filename_component(source "${source}" ABSOLUTE)
      list(APPEND sources "${source}")
    endforeach()
    set(includes "$<TARGET_PROPERTY:${program},INCLUDE_DIRECTORIES>")
    set(definitions "$<TARGET_PROPERTY:${program},COMPILE_DEFINITIONS>")
    set(searching "${PROJECT_BINARY_DIR}/tests/bin/upsweep_libfuzzer_${name}")
    add_custom_command(
      OUTPUT "${searching}"
      COMMAND
        "${UPSWEEP_LIBFUZZER_COMPILER}" -std=c++20 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -g -O1
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        ${sources} ${libraries} -o "${searching}"
      # The driver's program knows the headers that this one depends on, too.
      DEPENDS ${sources} ${program}
      COMMAND_EXPAND_LISTS VERBATIM
    )
    add_custom_target(upsweep_libfuzzer_${name} DEPENDS "${searching}")
    upsweep_long_program(upsweep_libfuzzer_${name})
    # The first folder takes what is found; the second is only read.
    add_test(
      NAME fuzz_${name}_long COMMAND "${searching}" -max_total_time=600 -seed=1 -timeout=20 -max_len=16384 -verbosity=1
                                     "-artifact_prefix=${folder}/" "${folder}" "${arg_CORPUS}"
    )
  else()
    add_test(NAME fuzz_${name}_long COMMAND ${program} "${arg_CORPUS}" --seconds 600)
  endif()
  set_tests_properties(fuzz_${name}_long PROPERTIES TIMEOUT 1500 LABELS long ENVIRONMENT "${options}")
endfunction()
