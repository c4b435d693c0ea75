/** The execution of one task: a slot submits it and gets its outcome, whatever the task does. */
@NullMarked
package io.cloudkon.worker.execute;

import org.jspecify.annotations.NullMarked;
