/** Tasks and HPC jobs in one workload, as a user runs it. */
@NullMarked
package io.cloudkon.examples.mixed;

import org.jspecify.annotations.NullMarked;
