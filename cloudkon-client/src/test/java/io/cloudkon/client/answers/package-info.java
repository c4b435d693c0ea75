@NullMarked
package io.cloudkon.client.answers;

import org.jspecify.annotations.NullMarked;
