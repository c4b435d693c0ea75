/** What a person sees of a run: result lines, the journal beside them, progress, report. */
@NullMarked
package io.cloudkon.client.report;

import org.jspecify.annotations.NullMarked;
