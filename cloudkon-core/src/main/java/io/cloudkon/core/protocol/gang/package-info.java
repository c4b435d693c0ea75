/**
 * HPC jobs, which are n ranks that run at the same time on n slots: the manager's side, from a
 * job's receipt to its result, and the sub-worker's side, from an offered rank to its end. Pure.
 */
@NullMarked
package io.cloudkon.core.protocol.gang;

import org.jspecify.annotations.NullMarked;
