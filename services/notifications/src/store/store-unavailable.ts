import { mongo } from 'mongoose';

/** Server errors that say "not now": a primary that steps down or a server that stops. FerretDB says 1 while its PostgreSQL is away. */
const PASSING_CODES = new Set([1, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436]);

/** True when the store could not be reached or could not answer, so that the same call may work later. */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof mongo.MongoBulkWriteError) return isAwayOf(error);
  if (error instanceof mongo.MongoServerError) return isPassing(error.code);
  return error instanceof mongo.MongoError || isNotConnected(error);
}

const isPassing = (code: unknown) => typeof code === 'number' && PASSING_CODES.has(code);

/**
 * The driver makes this of whatever goes wrong with an `insertMany`, also where nobody has judged any of the records: then it says what
 * the server said, or has no code where the server was not heard.
 */
function isAwayOf(error: mongo.MongoBulkWriteError): boolean {
  if (refusedOf(error).length > 0 || hasConcernErrors(error)) return false;
  return error.code === undefined || isPassing(error.code);
}

/** What mongoose throws, commands being unbuffered, before its first connection. */
function isNotConnected(error: unknown): boolean {
  return error instanceof Error && error.name === 'MongooseError' && error.message.includes('initial connection');
}

/** True when every refused insert met a record with the same id: the work was done before. */
export function isRepeat(error: unknown): boolean {
  if (error instanceof mongo.MongoBulkWriteError) {
    const refused = refusedOf(error);
    return refused.length > 0 && refused.every(({ code }) => code === 11_000) && !hasConcernErrors(error);
  }
  return error instanceof mongo.MongoServerError && error.code === 11_000;
}

const refusedOf = ({ writeErrors }: mongo.MongoBulkWriteError) =>
  Array.isArray(writeErrors) ? writeErrors : [writeErrors];

const hasConcernErrors = (error: mongo.MongoBulkWriteError) => error.result.getWriteConcernError() !== undefined;
