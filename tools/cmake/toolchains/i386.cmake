# 32 bits, on the same processor. The lengths of straw buckets need doubles that are no wider than
# they say, which the x87 unit doesn't have. The kernel's headers, the same for both, are where only
# gcc-multilib would find them.
set(triplet i386-linux-gnu)
include("${CMAKE_CURRENT_LIST_DIR}/port.cmake")

set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER gcc-12)
set(CMAKE_C_FLAGS_INIT "-m32 -msse2 -mfpmath=sse -idirafter /usr/include/x86_64-linux-gnu")
