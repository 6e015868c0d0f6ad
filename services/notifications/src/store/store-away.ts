import { mongo } from 'mongoose';

/** Server errors that say "not now": a primary that steps down or a server that stops. FerretDB says 1 while its PostgreSQL is away. */
const PASSING_CODES = new Set([1, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436]);

/** True when the store could not be reached or could not answer, so that the same call may work later. */
export function isStoreAway(error: unknown): boolean {
  if (error instanceof mongo.MongoServerError && !(error instanceof mongo.MongoBulkWriteError)) {
    return typeof error.code === 'number' && PASSING_CODES.has(error.code);
  }
  if (error instanceof mongo.MongoBulkWriteError) return false;
  return error instanceof mongo.MongoError || isNotConnected(error);
}

/** What mongoose throws, commands being unbuffered, before its first connection. */
function isNotConnected(error: unknown): boolean {
  return error instanceof Error && error.name === 'MongooseError' && error.message.includes('initial connection');
}

/** True when every refused insert met a record with the same id: the work was done before. */
export function isRepeat(error: unknown): boolean {
  if (error instanceof mongo.MongoBulkWriteError) {
    const refused = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
    return refused.length > 0 && refused.every(({ code }) => code === 11_000) && !hasConcernErrors(error);
  }
  return error instanceof mongo.MongoServerError && error.code === 11_000;
}

const hasConcernErrors = (error: mongo.MongoBulkWriteError) => error.result.getWriteConcernError() !== undefined;
