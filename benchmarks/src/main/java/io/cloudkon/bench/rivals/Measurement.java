package io.cloudkon.bench.rivals;

import org.jspecify.annotations.Nullable;

/**
 * A run of an exercise.
 *
 * @param tasks the number of tasks done
 * @param ownSeconds by the system's own clock, from the first submit to the last result; null if it
 *     has none
 * @param wholeSeconds the time of the command or script, from its start to its exit
 * @param version the version that the system reported; null if none
 */
record Measurement(
    int tasks, @Nullable Double ownSeconds, double wholeSeconds, @Nullable String version) {}
