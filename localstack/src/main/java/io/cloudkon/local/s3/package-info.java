/**
 * The program of the process that S3 runs in. Packed into a jar of its own beside S3Mock's, because
 * whatever else stands on that class path would come before S3Mock's own libraries; the emulator
 * shares with it what they say to each other, and how its folder is removed.
 */
@NullMarked
package io.cloudkon.local.s3;

import org.jspecify.annotations.NullMarked;
