# Big-endian, under an emulator.
set(triplet s390x-linux-gnu)
include("${CMAKE_CURRENT_LIST_DIR}/port.cmake")

set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x;-L;/usr/s390x-linux-gnu)
