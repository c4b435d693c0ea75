/** JMH benchmarks of the code that each task passes through: {@code ./cloudkon bench micro}. */
@NullMarked
package io.cloudkon.bench.micro;

import org.jspecify.annotations.NullMarked;
