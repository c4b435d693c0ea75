/** The objects that pass through the pipeline: bundles in hand, and the worker's inbox. */
@NullMarked
package io.cloudkon.worker.pipeline;

import org.jspecify.annotations.NullMarked;
