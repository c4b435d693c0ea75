@NullMarked
package io.cloudkon.bench.curves;

import org.jspecify.annotations.NullMarked;
