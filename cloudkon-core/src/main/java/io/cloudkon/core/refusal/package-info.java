/**
 * Calls that AWS refuses by policy: looked for at the start of each role, said once, and remembered
 * for as long as it lasts.
 */
@NullMarked
package io.cloudkon.core.refusal;

import org.jspecify.annotations.NullMarked;
