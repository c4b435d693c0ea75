/** What must hold in every run, watched from outside. */
@NullMarked
package io.cloudkon.simulator.check;

import org.jspecify.annotations.NullMarked;
