/** Tasks that come one by one during their run. */
@NullMarked
package io.cloudkon.client.spool;

import org.jspecify.annotations.NullMarked;
