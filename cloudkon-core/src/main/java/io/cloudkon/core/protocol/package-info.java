/**
 * The protocol as pure machines: event in, effects out; no threads, no clock, no SDK. The drivers
 * in the client and the worker, and the simulator, run these same classes.
 */
@NullMarked
package io.cloudkon.core.protocol;

import org.jspecify.annotations.NullMarked;
