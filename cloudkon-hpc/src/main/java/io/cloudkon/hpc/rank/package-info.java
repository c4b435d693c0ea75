/**
 * Communication between the ranks of one HPC job: the communicator, the link that carries its
 * frames, and the mailbox that receives them.
 */
@NullMarked
package io.cloudkon.hpc.rank;

import org.jspecify.annotations.NullMarked;
