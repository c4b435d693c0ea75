/** What the process of S3 does without S3Mock. */
@NullMarked
package io.cloudkon.local.s3;

import org.jspecify.annotations.NullMarked;
