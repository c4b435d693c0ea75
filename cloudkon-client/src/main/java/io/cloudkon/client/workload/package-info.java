/**
 * The workload file: text or JSON Lines in, checked tasks out. A workload is checked whole before
 * its first task is used, and is never held in memory.
 */
@NullMarked
package io.cloudkon.client.workload;

import org.jspecify.annotations.NullMarked;
