/** Lists runs, and waits for one. */
@NullMarked
package io.cloudkon.client.runs;

import org.jspecify.annotations.NullMarked;
