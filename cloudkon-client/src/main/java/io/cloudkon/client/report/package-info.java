/** Output of a run for people: result lines, the journal, progress display and report. */
@NullMarked
package io.cloudkon.client.report;

import org.jspecify.annotations.NullMarked;
