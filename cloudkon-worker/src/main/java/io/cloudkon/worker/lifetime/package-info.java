/**
 * A worker's own end: where it comes from, and when it ends itself because nobody needs it or
 * because it has lived for long enough.
 */
@NullMarked
package io.cloudkon.worker.lifetime;

import org.jspecify.annotations.NullMarked;
