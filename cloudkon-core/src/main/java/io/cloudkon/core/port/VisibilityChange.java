package io.cloudkon.core.port;

import java.time.Duration;

/**
 * A new visibility of a received message.
 *
 * @param handle the handle of its last receive
 * @param visibility how long it is hidden from now on, up to 12 hours after the receive; zero makes
 *     it visible at once
 */
public record VisibilityChange(String handle, Duration visibility) {}
