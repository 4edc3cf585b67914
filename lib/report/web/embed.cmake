# Makes OUTPUT, a C header that holds what each HTML report has: the style sheet and the scripts of
# SOURCE, the packed charts (CHARTS.txt), and the policy that lets a browser run these and nothing
# else: it names them by their hashes.

# hash_of(<variable> <hex>): a SHA-256 as a Content-Security-Policy has it, in base64.
function(hash_of variable hex)
  set(letters "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(hash "")
  # 33 bytes of which the last is filled up: three bytes are four letters.
  foreach(at RANGE 0 60 6)
    string(SUBSTRING "${hex}00" ${at} 6 group)
    foreach(shift 18 12 6 0)
      math(EXPR index "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING "${letters}" ${index} 1 letter)
      string(APPEND hash "${letter}")
    endforeach()
  endforeach()
  string(SUBSTRING "${hash}" 0 43 hash)
  set(${variable} "'sha256-${hash}='" PARENT_SCOPE)
endfunction()

# add(<name> <text>): a constant of the header.
function(add name text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  # Two of them might begin a trigraph.
  string(REPLACE "?" "\\?" text "${text}")
  string(REPLACE "\n" "\\n\"\n\t\"" text "${text}")
  file(APPEND "${OUTPUT}" "static const char ${name}[] =\n\t\"${text}\";\n")
endfunction()

file(READ "${SOURCE}/page.css" style)
set(script "")
foreach(part format table page)
  file(READ "${SOURCE}/${part}.js" text)
  string(APPEND script "${text}")
endforeach()
file(READ "${CHARTS}.txt" charts)

string(SHA256 hex "${style}")
hash_of(style_hash "${hex}")
string(SHA256 hex "${script}")
hash_of(scripts "${hex}")
if(charts)
  file(SHA256 "${CHARTS}.js" hex)
  hash_of(code_hash "${hex}")
  string(APPEND scripts " ${code_hash}")
endif()

file(WRITE "${OUTPUT}" "/* SPDX-License-Identifier: MIT */\n/* Made by embed.cmake. */\n")
add(web_policy "default-src 'none'; script-src ${scripts}; style-src ${style_hash}; \
base-uri 'none'; form-action 'none'")
add(web_style "${style}")
add(web_script "${script}")
add(web_charts "${charts}")
