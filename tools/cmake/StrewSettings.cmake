# Compiler settings that hold for every target.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "kind of build" FORCE)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

include(GNUInstallDirs)
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.13)
pkg_check_modules(LIBMD REQUIRED IMPORTED_TARGET libmd)
find_program(GPERF gperf REQUIRED)
find_package(Threads REQUIRED)

add_library(strew_settings INTERFACE)
target_compile_options(strew_settings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes
  -Wvla -Wundef -fno-strict-aliasing
  # Straw lengths must come out the same on every machine: no fused multiply-add.
  -ffp-contract=off)
target_compile_definitions(strew_settings INTERFACE _GNU_SOURCE)
if(STREW_WERROR)
  target_compile_options(strew_settings INTERFACE -Werror)
endif()
if(STREW_SANITIZE)
  target_compile_options(strew_settings INTERFACE
    -fsanitize=${STREW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(strew_settings INTERFACE -fsanitize=${STREW_SANITIZE})
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # gcc loses sight of what is set behind the checks that it puts in.
    target_compile_options(strew_settings INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
if(STREW_FUZZ)
  target_compile_options(strew_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()

# strew_gperf(<target> <file.gperf>): a keyword table, made at build time as <file>.gperf.h.
function(strew_gperf target source)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${source}.h")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${GPERF}" --output-file=${output} "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
    DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
    COMMENT "Generating ${source}.h" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()
