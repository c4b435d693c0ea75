/**
 * Interfaces to the cloud that the protocol needs; {@code aws} and {@code memory} implement them,
 * one contract suite each holds both to the same. Every method blocks, every implementation is
 * thread safe. A call that fails in passing (throttled, unreachable, time-out, 5xx) throws {@link
 * io.cloudkon.core.port.TransientServiceException}: its effect may or may not have happened. One
 * that a policy does not allow throws {@link io.cloudkon.core.port.RefusedException}: it had no
 * effect, and works again only when somebody mends the policy. Any other {@link
 * io.cloudkon.core.error.CloudKonException} is final.
 */
@NullMarked
package io.cloudkon.core.port;

import org.jspecify.annotations.NullMarked;
