/** What every step of the pipeline hands to the next: a bundle in hand, and the worker's inbox. */
@NullMarked
package io.cloudkon.worker.pipeline;

import org.jspecify.annotations.NullMarked;
