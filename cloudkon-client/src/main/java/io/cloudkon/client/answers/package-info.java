/**
 * A run's answers for people and other programs: the lines of {@code results.jsonl}, each with its
 * task's command, chosen, put in order and written as they are wanted.
 */
@NullMarked
package io.cloudkon.client.answers;

import org.jspecify.annotations.NullMarked;
