/** RMI between workers: over real sockets of the loopback address, also with those who cheat. */
@NullMarked
package io.cloudkon.hpc.rmi;

import org.jspecify.annotations.NullMarked;
