/** Runs the commands of the examples' READMEs as they stand there. */
@NullMarked
package io.cloudkon.examples.commands;

import org.jspecify.annotations.NullMarked;
