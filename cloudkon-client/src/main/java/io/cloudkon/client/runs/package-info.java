/** The runs there are, and waiting for one. */
@NullMarked
package io.cloudkon.client.runs;

import org.jspecify.annotations.NullMarked;
