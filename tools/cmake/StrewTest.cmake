# strew_unit_test(<module> SOURCES check_<file>.c... NEEDS <module>...)
#
# One Check program per module, unit.<module>. Each check_<file>.c defines
#
#     TCase *check_<file>(void);
#
# and the program's main, which runs them all as the suite <module>, is made from the list. The
# program links the objects of the modules it NEEDS, and may include their private headers.

function(strew_unit_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;NEEDS" ${ARGN})
  set(target check_${name})
  set(declarations "")
  set(additions "")
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(case "${source}" NAME_WE)
    string(APPEND declarations "TCase *${case}(void);\n")
    string(APPEND additions "\tsuite_add_tcase(suite, ${case}());\n")
  endforeach()
  set(SUITE ${name})
  set(main "${CMAKE_CURRENT_BINARY_DIR}/suite_${name}.c")
  configure_file("${PROJECT_SOURCE_DIR}/tests/support/suite.c.in" "${main}" @ONLY)
  add_executable(${target} ${ARG_SOURCES} "${main}")
  target_link_libraries(${target} PRIVATE
    strew_settings strew_test_support PkgConfig::CHECK PkgConfig::JANSSON PkgConfig::LIBMD m)
  foreach(module IN LISTS ARG_NEEDS)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/lib/${module}")
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:strew_${module}>)
  endforeach()
  add_test(NAME unit.${name} COMMAND ${target})
  set_tests_properties(unit.${name} PROPERTIES TIMEOUT 3000
    ENVIRONMENT "STREW_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
endfunction()

# strew_script_test(<name> <script> [argument...]): a POSIX shell script; exit 77 means skipped.
function(strew_script_test name script)
  add_test(NAME ${name} COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/${script}" ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3000)
endfunction()
