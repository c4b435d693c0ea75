/**
 * Reads a workload file, in text or JSON Lines, into checked tasks. A workload is checked
 * completely before its first task is used, unless it is streamed, and is never held in memory.
 */
@NullMarked
package io.cloudkon.client.workload;

import org.jspecify.annotations.NullMarked;
