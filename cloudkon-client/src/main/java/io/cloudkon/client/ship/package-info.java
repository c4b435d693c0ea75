/** Files and folders of the user's that every task finds in its directory: {@code --ship}. */
@NullMarked
package io.cloudkon.client.ship;

import org.jspecify.annotations.NullMarked;
