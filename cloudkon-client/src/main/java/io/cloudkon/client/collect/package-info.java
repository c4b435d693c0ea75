/** Results come from the response queue, and become the run's files. */
@NullMarked
package io.cloudkon.client.collect;

import org.jspecify.annotations.NullMarked;
