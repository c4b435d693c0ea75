/** The ledger of slots for HPC jobs: who has them, which are promised, and who waits. Pure. */
@NullMarked
package io.cloudkon.core.protocol.capacity;

import org.jspecify.annotations.NullMarked;
