/** From the answers of tile tasks to one picture. */
@NullMarked
package io.cloudkon.examples.picture;

import org.jspecify.annotations.NullMarked;
