package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.protocol.claim.LeaseSettings;

/** The settings that all bundles of a worker share. */
public record BundleSettings(
    LeaseSettings lease, ReplySettings reply, AttemptSettings attempts, RetrySettings retry) {}
