/** HPC jobs: admission, the manager and sub-worker roles, their RMI, and the MPI launcher. */
@NullMarked
package io.cloudkon.hpc;

import org.jspecify.annotations.NullMarked;
