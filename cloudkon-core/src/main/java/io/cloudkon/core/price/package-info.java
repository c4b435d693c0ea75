/** Prices of calls and instances, from one dated price list. */
@NullMarked
package io.cloudkon.core.price;

import org.jspecify.annotations.NullMarked;
