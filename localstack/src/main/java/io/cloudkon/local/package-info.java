/**
 * The local AWS emulator on loopback: ElasticMQ for SQS and DynamoDB Local in one process, S3Mock
 * in another one once S3 is needed, and the command line that starts and stops them. Shares no
 * class with the rest of CloudKon, because ElasticMQ and DynamoDB Local need their own, older
 * libraries.
 */
@NullMarked
package io.cloudkon.local;

import org.jspecify.annotations.NullMarked;
