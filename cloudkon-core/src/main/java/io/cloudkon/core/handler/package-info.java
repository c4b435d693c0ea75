/**
 * Interfaces that users implement: {@code java} tasks run a {@link
 * io.cloudkon.core.handler.TaskHandler}.
 */
@NullMarked
package io.cloudkon.core.handler;

import org.jspecify.annotations.NullMarked;
