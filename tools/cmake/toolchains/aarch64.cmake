# 64-bit Arm, under an emulator.
set(triplet aarch64-linux-gnu)
include("${CMAKE_CURRENT_LIST_DIR}/port.cmake")

set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;/usr/aarch64-linux-gnu)
