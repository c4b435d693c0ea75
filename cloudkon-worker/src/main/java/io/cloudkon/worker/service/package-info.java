/** The worker as a whole: carries out what its machine wants, and tells it what happened. */
@NullMarked
package io.cloudkon.worker.service;

import org.jspecify.annotations.NullMarked;
