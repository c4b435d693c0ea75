/**
 * A worker's part in HPC jobs. One loop owns the state machines of the manager and of the
 * sub-worker and hands their effects to callers, whose outcomes come back as events.
 */
@NullMarked
package io.cloudkon.worker.gang;

import org.jspecify.annotations.NullMarked;
