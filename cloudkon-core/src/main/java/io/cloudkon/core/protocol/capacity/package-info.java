/**
 * The ledger of slots for HPC jobs, with their owners, the reservation, and the waiting jobs. Pure.
 */
@NullMarked
package io.cloudkon.core.protocol.capacity;

import org.jspecify.annotations.NullMarked;
