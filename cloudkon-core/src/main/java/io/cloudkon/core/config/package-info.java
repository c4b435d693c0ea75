/**
 * The sources of option values that the command line does not give, and the formats of values such
 * as durations and sizes. An unknown key is always an error, so that no setting is silently
 * ignored.
 */
@NullMarked
package io.cloudkon.core.config;

import org.jspecify.annotations.NullMarked;
