import { describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { isDuplicate, isStoreUnavailable } from './store-unavailable.ts';

function toBulkWriteError(
  cause: ConstructorParameters<typeof mongo.MongoBulkWriteError>[0],
  concern?: { code: number },
) {
  const result = { getWriteConcernError: () => concern } as unknown as mongo.BulkWriteResult;
  return new mongo.MongoBulkWriteError(cause, result);
}
const toErrorWithCode = (code: number) => ({ message: 'rejected', code, writeErrors: [{ code } as mongo.WriteError] });

describe('insertMany errors', () => {
  it.each<[string, Error]>([
    ['a time-out', new mongo.MongoNetworkTimeoutError('connection timed out')],
    ['a broken connection', new mongo.MongoNetworkError('read ECONNRESET')],
    ['FerretDB without its PostgreSQL', new mongo.MongoServerError({ message: 'internal', code: 1 })],
    ['a primary that steps down', new mongo.MongoServerError({ message: 'stepping down', code: 189 })],
  ])('report an unavailable store for %s', (_, error) => {
    expect([isStoreUnavailable(toBulkWriteError(error)), isDuplicate(toBulkWriteError(error))]).toEqual([true, false]);
  });

  it('are failures if a record or the command is rejected', () => {
    expect(isStoreUnavailable(toBulkWriteError(toErrorWithCode(121)))).toBe(false);
    expect(
      isStoreUnavailable(toBulkWriteError(new mongo.MongoServerError({ message: 'not authorized', code: 13 }))),
    ).toBe(false);
    const concern = { message: 'waiting for replication timed out', code: 64, writeErrors: [] };
    expect(isStoreUnavailable(toBulkWriteError(concern, concern))).toBe(false);
  });

  it('are duplicates if every rejected record already exists', () => {
    expect([
      isStoreUnavailable(toBulkWriteError(toErrorWithCode(11_000))),
      isDuplicate(toBulkWriteError(toErrorWithCode(11_000))),
    ]).toEqual([false, true]);
    expect(isDuplicate(toBulkWriteError(toErrorWithCode(121)))).toBe(false);
  });
});
