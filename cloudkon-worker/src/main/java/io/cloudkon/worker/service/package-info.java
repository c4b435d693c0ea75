/** The worker as a whole: carries out the effects of its state machine and feeds it events. */
@NullMarked
package io.cloudkon.worker.service;

import org.jspecify.annotations.NullMarked;
