/** Why a run or a task still waits, in words. */
@NullMarked
package io.cloudkon.client.explain;

import org.jspecify.annotations.NullMarked;
