@NullMarked
package io.cloudkon.client.rerun;

import org.jspecify.annotations.NullMarked;
