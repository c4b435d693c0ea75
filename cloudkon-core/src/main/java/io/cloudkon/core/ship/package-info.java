/**
 * Files and folders on their way to the workers: packed by the client, unpacked by each worker, as
 * one tar.gz. Both directions stand here, side by side, so that they cannot drift apart.
 */
@NullMarked
package io.cloudkon.core.ship;

import org.jspecify.annotations.NullMarked;
