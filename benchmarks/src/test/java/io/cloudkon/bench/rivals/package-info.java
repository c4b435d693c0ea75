@NullMarked
package io.cloudkon.bench.rivals;

import org.jspecify.annotations.NullMarked;
