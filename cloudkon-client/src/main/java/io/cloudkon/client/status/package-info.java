/** What a cluster looks like from outside. */
@NullMarked
package io.cloudkon.client.status;

import org.jspecify.annotations.NullMarked;
