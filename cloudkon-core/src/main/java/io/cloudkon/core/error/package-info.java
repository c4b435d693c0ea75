/** One root exception, and the exit codes that its kinds lead to. */
@NullMarked
package io.cloudkon.core.error;

import org.jspecify.annotations.NullMarked;
