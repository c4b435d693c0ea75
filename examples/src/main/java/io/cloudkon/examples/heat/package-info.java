/**
 * Heat in a plate as an HPC job with {@code java} ranks: what a user would put into a handler jar,
 * and needs nothing but {@code RankHandler} and {@code Communicator} from CloudKon.
 */
@NullMarked
package io.cloudkon.examples.heat;

import org.jspecify.annotations.NullMarked;
