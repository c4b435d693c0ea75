/** Dead letters: reads the dead-letter queue and sends its tasks again. */
@NullMarked
package io.cloudkon.client.dead;

import org.jspecify.annotations.NullMarked;
