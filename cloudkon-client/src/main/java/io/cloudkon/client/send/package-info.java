/** Tasks of the workload become bundles, and go to the request queue. */
@NullMarked
package io.cloudkon.client.send;

import org.jspecify.annotations.NullMarked;
