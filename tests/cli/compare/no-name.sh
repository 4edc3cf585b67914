# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --node =3
