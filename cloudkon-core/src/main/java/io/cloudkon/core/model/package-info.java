/**
 * The data types: tasks, bundles, results and their limits. They do not use AWS, threads or clocks.
 */
@NullMarked
package io.cloudkon.core.model;

import org.jspecify.annotations.NullMarked;
