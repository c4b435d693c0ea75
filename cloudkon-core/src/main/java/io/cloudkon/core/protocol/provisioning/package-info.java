/** Decides how many workers a cluster should have and what to launch. */
@NullMarked
package io.cloudkon.core.protocol.provisioning;

import org.jspecify.annotations.NullMarked;
