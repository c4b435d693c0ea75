/** How many workers a cluster should have, and what to launch for that. */
@NullMarked
package io.cloudkon.core.protocol.provisioning;

import org.jspecify.annotations.NullMarked;
