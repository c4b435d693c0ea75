/**
 * Files and folders for the workers, packed by the client and unpacked by each worker, as one
 * tar.gz. Both directions are in this package, so that they stay consistent.
 */
@NullMarked
package io.cloudkon.core.ship;

import org.jspecify.annotations.NullMarked;
