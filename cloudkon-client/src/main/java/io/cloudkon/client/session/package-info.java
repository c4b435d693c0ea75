/** A client at work on one run: puts sending and collecting together. */
@NullMarked
package io.cloudkon.client.session;

import org.jspecify.annotations.NullMarked;
