/** Natural batching, which every sender uses. */
@NullMarked
package io.cloudkon.core.batch;

import org.jspecify.annotations.NullMarked;
