package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Positions;

/**
 * The tasks that a bundle handed on to a child bundle.
 *
 * @param tasks their positions in the parent; never empty
 * @param sent whether the child is known to have been sent
 */
public record Child(Positions tasks, boolean sent) {}
