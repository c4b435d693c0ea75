/** Tasks that come one by one while their run goes on. */
@NullMarked
package io.cloudkon.client.spool;

import org.jspecify.annotations.NullMarked;
