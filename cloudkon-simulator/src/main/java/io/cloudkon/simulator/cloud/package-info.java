/** SQS, DynamoDB and S3 as the protocol meets them: late, twice, throttled, with answers lost. */
@NullMarked
package io.cloudkon.simulator.cloud;

import org.jspecify.annotations.NullMarked;
