/**
 * How the ranks of one HPC job talk: the communicator over whatever carries its frames, and the
 * mailbox in which a rank finds them.
 */
@NullMarked
package io.cloudkon.hpc.rank;

import org.jspecify.annotations.NullMarked;
