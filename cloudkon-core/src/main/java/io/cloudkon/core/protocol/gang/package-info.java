/**
 * HPC jobs: n ranks that run at the same time on n slots. The manager's side, from a job's receipt
 * to its result, and the sub-worker's, from an offered rank to its end. Pure.
 */
@NullMarked
package io.cloudkon.core.protocol.gang;

import org.jspecify.annotations.NullMarked;
