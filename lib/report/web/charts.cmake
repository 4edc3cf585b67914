# The charts of HTML reports: npm fetches what the lock file names, esbuild makes one script of it.
# Run by the build with SOURCE, WORK (a folder), OUTPUT (without ending), NPM, NODE and MODE, which
# is STREW_CHARTS. Where it can't be done, reports have tables only; with MODE=ON that is an error.

file(COPY "${SOURCE}/package.json" "${SOURCE}/package-lock.json" DESTINATION "${WORK}")
execute_process(
  COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline
          --fetch-retries=1 --fetch-timeout=30000
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
if(NOT failed)
  execute_process(
    COMMAND "${NODE}" "${SOURCE}/bundle.mjs" "${SOURCE}" "${WORK}/node_modules" "${OUTPUT}"
    RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
endif()
if(failed AND MODE STREQUAL "ON")
  message(FATAL_ERROR "${log}\nSTREW_CHARTS is ON, and the charts could not be made")
elseif(failed)
  message("${log}\nHTML reports: tables without charts, for npm or esbuild failed")
  file(WRITE "${OUTPUT}.js" "")
  file(WRITE "${OUTPUT}.txt" "")
endif()
# 80 MB that the script is made of.
file(REMOVE_RECURSE "${WORK}/node_modules")
