/**
 * A worker's part in HPC jobs: one loop owns the machines of the manager and of the sub-worker, and
 * hands what they want done to callers, whose outcomes come back as events.
 */
@NullMarked
package io.cloudkon.worker.gang;

import org.jspecify.annotations.NullMarked;
