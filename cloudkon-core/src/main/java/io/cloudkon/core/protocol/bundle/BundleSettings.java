package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.protocol.claim.LeaseSettings;

/** What a worker's bundles have in common. */
public record BundleSettings(
    LeaseSettings lease, ReplySettings reply, AttemptSettings attempts, RetrySettings retry) {}
