/** A worker as a whole, with its intake, its bundles and its slots. Pure. */
@NullMarked
package io.cloudkon.core.protocol.worker;

import org.jspecify.annotations.NullMarked;
