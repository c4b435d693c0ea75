/** Watches for the cloud's announcements that this worker's machine is to leave. */
@NullMarked
package io.cloudkon.worker.notice;

import org.jspecify.annotations.NullMarked;
