/** A client's work on one run: combines sending and collecting. */
@NullMarked
package io.cloudkon.client.session;

import org.jspecify.annotations.NullMarked;
