/**
 * The ports in memory, for one process: what {@code client -s LOCAL} runs on, and the fakes of all
 * tests. Queues do what SQS does, claims follow {@link io.cloudkon.core.protocol.claim.ClaimRules};
 * nothing polls, payloads are never copied.
 */
@NullMarked
package io.cloudkon.core.memory;

import org.jspecify.annotations.NullMarked;
