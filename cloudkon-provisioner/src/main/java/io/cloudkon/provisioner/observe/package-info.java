/** What a provisioner sees of its cluster. */
@NullMarked
package io.cloudkon.provisioner.observe;

import org.jspecify.annotations.NullMarked;
