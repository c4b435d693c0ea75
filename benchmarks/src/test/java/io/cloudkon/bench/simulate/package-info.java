@NullMarked
package io.cloudkon.bench.simulate;

import org.jspecify.annotations.NullMarked;
