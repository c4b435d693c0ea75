/** The MPI programs of the example, as a user compiles and runs them. */
@NullMarked
package io.cloudkon.examples.mpi;

import org.jspecify.annotations.NullMarked;
