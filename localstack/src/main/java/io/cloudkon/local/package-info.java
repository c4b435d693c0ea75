/**
 * The embedded AWS: ElasticMQ for SQS and DynamoDB Local, on loopback, in one process of its own,
 * and S3Mock in another one once S3 is needed, with the command line that starts and stops them.
 * Shares no class with the rest of CloudKon, because the two emulators need their own, older
 * libraries.
 */
@NullMarked
package io.cloudkon.local;

import org.jspecify.annotations.NullMarked;
