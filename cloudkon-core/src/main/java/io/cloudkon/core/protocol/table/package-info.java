/**
 * Life cycles as declared transition tables, and the diagrams in {@code docs/} that are made from
 * them.
 */
@NullMarked
package io.cloudkon.core.protocol.table;

import org.jspecify.annotations.NullMarked;
