/** Groups the tasks of the workload into bundles and sends them to the request queues. */
@NullMarked
package io.cloudkon.client.send;

import org.jspecify.annotations.NullMarked;
