/**
 * A run's answers for people and other programs: selects, sorts and formats the lines of {@code
 * results.jsonl}, each with its task's command.
 */
@NullMarked
package io.cloudkon.client.answers;

import org.jspecify.annotations.NullMarked;
