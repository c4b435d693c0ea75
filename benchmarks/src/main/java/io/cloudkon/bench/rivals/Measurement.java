package io.cloudkon.bench.rivals;

import org.jspecify.annotations.Nullable;

/**
 * One run of one exercise.
 *
 * @param tasks how many it did
 * @param ownSeconds by the system's own clock, from the first submit to the last result; null where
 *     it has none
 * @param wholeSeconds of the command or script, from its start to its exit
 * @param version which version says so; null where it does not
 */
record Measurement(
    int tasks, @Nullable Double ownSeconds, double wholeSeconds, @Nullable String version) {}
