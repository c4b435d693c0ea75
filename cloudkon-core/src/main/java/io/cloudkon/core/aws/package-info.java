/**
 * The implementation of the ports with SQS, DynamoDB and S3; the only package that imports the AWS
 * SDK. {@link io.cloudkon.core.aws.AwsCloud} is the entry point. All methods block and are thread
 * safe.
 */
@NullMarked
package io.cloudkon.core.aws;

import org.jspecify.annotations.NullMarked;
