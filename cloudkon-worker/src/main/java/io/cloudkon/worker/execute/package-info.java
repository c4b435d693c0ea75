/** The execution of one task: a slot hands it in and gets its outcome, whatever the task does. */
@NullMarked
package io.cloudkon.worker.execute;

import org.jspecify.annotations.NullMarked;
