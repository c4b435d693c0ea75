/**
 * The program of S3's process. It is packed into its own jar next to S3Mock's, because everything
 * else on that class path would come before S3Mock's own libraries. The emulator shares with it the
 * lines of their protocol and the deletion of the folder.
 */
@NullMarked
package io.cloudkon.local.s3;

import org.jspecify.annotations.NullMarked;
