/**
 * SQS, DynamoDB and S3 as the protocol experiences them: with delays, duplicates, throttling and
 * lost answers.
 */
@NullMarked
package io.cloudkon.simulator.cloud;

import org.jspecify.annotations.NullMarked;
