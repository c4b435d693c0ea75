/**
 * The ports over SQS, DynamoDB and S3; the only package that imports the AWS SDK. {@link
 * io.cloudkon.core.aws.AwsCloud} is the way in. Everything here blocks and is thread safe.
 */
@NullMarked
package io.cloudkon.core.aws;

import org.jspecify.annotations.NullMarked;
