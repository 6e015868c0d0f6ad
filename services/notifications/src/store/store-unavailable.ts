import { mongo } from 'mongoose';

/** Transient server errors, such as a primary stepping down. FerretDB returns 1 while its PostgreSQL is unavailable. */
const TRANSIENT_CODES = new Set([1, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436]);

/** Whether the store could not be reached or could not respond, so that the same call may succeed later. */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof mongo.MongoBulkWriteError) return isUnavailableBulkWrite(error);
  if (error instanceof mongo.MongoServerError) return isTransient(error.code);
  return error instanceof mongo.MongoError || isNotConnected(error);
}

const isTransient = (code: unknown) => typeof code === 'number' && TRANSIENT_CODES.has(code);

/** A failed `insertMany` has the server's code if no record was processed, and no code without a response. */
function isUnavailableBulkWrite(error: mongo.MongoBulkWriteError): boolean {
  if (getWriteErrors(error).length > 0 || hasConcernErrors(error)) return false;
  return error.code === undefined || isTransient(error.code);
}

/** Thrown by Mongoose before the first connection, because commands are not buffered. */
function isNotConnected(error: unknown): boolean {
  return error instanceof Error && error.name === 'MongooseError' && error.message.includes('initial connection');
}

export function isDuplicate(error: unknown): boolean {
  if (error instanceof mongo.MongoBulkWriteError) {
    const writeErrors = getWriteErrors(error);
    return writeErrors.length > 0 && writeErrors.every(({ code }) => code === 11_000) && !hasConcernErrors(error);
  }
  return error instanceof mongo.MongoServerError && error.code === 11_000;
}

const getWriteErrors = ({ writeErrors }: mongo.MongoBulkWriteError) =>
  Array.isArray(writeErrors) ? writeErrors : [writeErrors];

const hasConcernErrors = (error: mongo.MongoBulkWriteError) => error.result.getWriteConcernError() !== undefined;
