/**
 * Tells a worker's own failures from those of its tasks, and keeps a sick worker from accepting
 * any.
 */
@NullMarked
package io.cloudkon.worker.health;

import org.jspecify.annotations.NullMarked;
