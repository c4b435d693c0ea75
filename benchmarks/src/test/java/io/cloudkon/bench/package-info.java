@NullMarked
package io.cloudkon.bench;

import org.jspecify.annotations.NullMarked;
