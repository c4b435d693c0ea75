/** What calls and instances cost, by one dated price list. */
@NullMarked
package io.cloudkon.core.price;

import org.jspecify.annotations.NullMarked;
