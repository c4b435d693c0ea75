/**
 * The claim: the item that makes a bundle's execution exclusive, the rules of its writes, and its
 * owner's machine.
 */
@NullMarked
package io.cloudkon.core.protocol.claim;

import org.jspecify.annotations.NullMarked;
