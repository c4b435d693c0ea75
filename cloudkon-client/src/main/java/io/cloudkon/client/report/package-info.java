/** Output of a run for people: result lines, the journal beside them, progress, report. */
@NullMarked
package io.cloudkon.client.report;

import org.jspecify.annotations.NullMarked;
