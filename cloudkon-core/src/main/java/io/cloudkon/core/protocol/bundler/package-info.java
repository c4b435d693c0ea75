/** How many tasks go into the next bundle. */
@NullMarked
package io.cloudkon.core.protocol.bundler;

import org.jspecify.annotations.NullMarked;
