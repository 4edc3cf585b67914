# strew_module(<name> USES <module>... SOURCES <file>...)
#
# One module of the library: an object library that sees the public headers, its own folder, and the
# folders of the modules it names, and no other. A module can only name modules added before it, so
# the layers have no cycle. The order is the one of lib/CMakeLists.txt.

function(strew_module name)
  cmake_parse_arguments(ARG "" "" "USES;SOURCES" ${ARGN})
  set(target strew_${name})
  add_library(${target} OBJECT ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE strew_settings)
  target_compile_options(${target} PRIVATE -Wmissing-prototypes)
  target_include_directories(${target} PRIVATE
    "${PROJECT_SOURCE_DIR}/lib/include" "${PROJECT_BINARY_DIR}/include"
    "${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(used IN LISTS ARG_USES)
    if(NOT TARGET strew_${used})
      message(FATAL_ERROR
        "module ${name} uses ${used}, which is not below it in lib/CMakeLists.txt")
    endif()
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/lib/${used}")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY STREW_MODULES ${name})
  set_property(GLOBAL PROPERTY STREW_MODULE_USES_${name} "${ARG_USES}")
endfunction()
