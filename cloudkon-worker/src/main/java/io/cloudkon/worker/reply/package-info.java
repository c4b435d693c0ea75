/** Step 4: sends results to the client's response queue. */
@NullMarked
package io.cloudkon.worker.reply;

import org.jspecify.annotations.NullMarked;
