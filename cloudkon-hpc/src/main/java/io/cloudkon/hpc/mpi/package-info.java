/** Support for MPI programs: MPICH's mpiexec, its command line and its output. */
@NullMarked
package io.cloudkon.hpc.mpi;

import org.jspecify.annotations.NullMarked;
