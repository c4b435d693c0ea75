@NullMarked
package io.cloudkon.bench.fleet;

import org.jspecify.annotations.NullMarked;
