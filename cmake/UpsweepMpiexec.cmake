# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Sets mpiexec's extra flags for tests that have more ranks than the machine has cores, and the name of the
# implementation. CMake may find the library of one MPI and the launcher of another;
# only `mpiexec --version` shows whose launcher it is.
function(upsweep_detect_mpiexec flags_result name_result)
  execute_process(
    COMMAND "${MPIEXEC_EXECUTABLE}" --version OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE ignored
  )
  if(text MATCHES "Open MPI|OpenRTE|PRRTE|prterun")
    set(${flags_result} --oversubscribe --allow-run-as-root PARENT_SCOPE)
    set(${name_result} "Open MPI" PARENT_SCOPE)
  elseif(text MATCHES "HYDRA")
    set(${flags_result} "" PARENT_SCOPE)
    set(${name_result} "MPICH" PARENT_SCOPE)
  else()
    set(${flags_result} "" PARENT_SCOPE)
    set(${name_result} "unknown implementation" PARENT_SCOPE)
  endif()
endfunction()

# The command line that starts a program on n ranks.
function(upsweep_mpiexec_command result ranks)
  set(
    ${result}
    "${MPIEXEC_EXECUTABLE}" ${UPSWEEP_MPIEXEC_FLAGS} ${MPIEXEC_PREFLAGS} ${MPIEXEC_NUMPROC_FLAG} ${ranks}
    PARENT_SCOPE
  )
endfunction()
