/** Natural batching, which every sender uses, and the times after which calls are repeated. */
@NullMarked
package io.cloudkon.core.batch;

import org.jspecify.annotations.NullMarked;
