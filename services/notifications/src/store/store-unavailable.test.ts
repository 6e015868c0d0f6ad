import { describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { isDuplicate, isStoreUnavailable } from './store-unavailable.ts';

function bulk(cause: ConstructorParameters<typeof mongo.MongoBulkWriteError>[0], concern?: { code: number }) {
  const result = { getWriteConcernError: () => concern } as unknown as mongo.BulkWriteResult;
  return new mongo.MongoBulkWriteError(cause, result);
}
const bulkError = (code: number) => ({ message: 'refused', code, writeErrors: [{ code } as mongo.WriteError] });

describe('insertMany errors', () => {
  it.each<[string, Error]>([
    ['a time-out', new mongo.MongoNetworkTimeoutError('connection timed out')],
    ['a broken connection', new mongo.MongoNetworkError('read ECONNRESET')],
    ['FerretDB without its PostgreSQL', new mongo.MongoServerError({ message: 'internal', code: 1 })],
    ['a primary that steps down', new mongo.MongoServerError({ message: 'stepping down', code: 189 })],
  ])('report an unavailable store for %s', (_, error) => {
    expect([isStoreUnavailable(bulk(error)), isDuplicate(bulk(error))]).toEqual([true, false]);
  });

  it('are failures if a record or the command is rejected', () => {
    expect(isStoreUnavailable(bulk(bulkError(121)))).toBe(false);
    expect(isStoreUnavailable(bulk(new mongo.MongoServerError({ message: 'not authorized', code: 13 })))).toBe(false);
    const concern = { message: 'waiting for replication timed out', code: 64, writeErrors: [] };
    expect(isStoreUnavailable(bulk(concern, concern))).toBe(false);
  });

  it('are duplicates if every rejected record already exists', () => {
    expect([isStoreUnavailable(bulk(bulkError(11_000))), isDuplicate(bulk(bulkError(11_000)))]).toEqual([false, true]);
    expect(isDuplicate(bulk(bulkError(121)))).toBe(false);
  });
});
