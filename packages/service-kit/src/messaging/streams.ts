import { JetStreamApiError } from '@nats-io/jetstream';

const CONSUMER_NOT_FOUND = 10_014;
const STREAM_NOT_FOUND = 10_059;
const MESSAGE_NOT_FOUND = 10_037;

const hasCode = (error: unknown, ...codes: number[]): boolean =>
  error instanceof JetStreamApiError && codes.includes(error.code);

/** Whether JetStream reports the requested resource as not found. */
export const isNotFound = (error: unknown): boolean =>
  hasCode(error, CONSUMER_NOT_FOUND, STREAM_NOT_FOUND, MESSAGE_NOT_FOUND);
