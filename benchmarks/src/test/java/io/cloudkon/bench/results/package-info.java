@NullMarked
package io.cloudkon.bench.results;

import org.jspecify.annotations.NullMarked;
