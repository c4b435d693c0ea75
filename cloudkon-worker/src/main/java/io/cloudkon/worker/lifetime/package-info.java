/**
 * A worker's own end: its origin, and when it ends itself because it is no longer needed or because
 * its maximum lifetime is over.
 */
@NullMarked
package io.cloudkon.worker.lifetime;

import org.jspecify.annotations.NullMarked;
