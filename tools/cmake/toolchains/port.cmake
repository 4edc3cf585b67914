# What the toolchains of this folder share. Each sets `triplet`; the environment's STREW_PORT_ROOT
# is where tests/ports/ports.sh has unpacked the libraries of that machine.

set(CMAKE_SYSTEM_NAME Linux)
set(root "$ENV{STREW_PORT_ROOT}")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${root}")
set(ENV{PKG_CONFIG_LIBDIR} "${root}/usr/lib/${triplet}/pkgconfig")
