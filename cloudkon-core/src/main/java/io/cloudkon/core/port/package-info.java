/**
 * Interfaces to the cloud services that the protocol needs. {@code aws} and {@code memory}
 * implement them, and one contract suite per interface verifies both. Every method blocks, and
 * every implementation is thread safe. A temporary failure of a call (throttled, unreachable,
 * timeout, 5xx) throws {@link io.cloudkon.core.port.TransientServiceException}: the call may or may
 * not have taken effect. A call that a policy does not allow throws {@link
 * io.cloudkon.core.port.RefusedException}: it had no effect, and fails until the policy is changed.
 * Any other {@link io.cloudkon.core.error.CloudKonException} is final.
 */
@NullMarked
package io.cloudkon.core.port;

import org.jspecify.annotations.NullMarked;
