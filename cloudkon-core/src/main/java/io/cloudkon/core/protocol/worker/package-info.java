/** One worker as a whole: its intake, its bundles and its slots, still pure. */
@NullMarked
package io.cloudkon.core.protocol.worker;

import org.jspecify.annotations.NullMarked;
