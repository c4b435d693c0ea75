/** What tests of all modules share. */
@NullMarked
package io.cloudkon.core.testing;

import org.jspecify.annotations.NullMarked;
