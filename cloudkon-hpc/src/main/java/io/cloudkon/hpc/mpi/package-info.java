/** Real MPI programs: what to ask of MPICH's mpiexec, and how to read what it answers. */
@NullMarked
package io.cloudkon.hpc.mpi;

import org.jspecify.annotations.NullMarked;
