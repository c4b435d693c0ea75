/**
 * Calls that AWS refuses by policy: they are checked at the start of each role, reported once, and
 * remembered as long as the refusal lasts.
 */
@NullMarked
package io.cloudkon.core.refusal;

import org.jspecify.annotations.NullMarked;
