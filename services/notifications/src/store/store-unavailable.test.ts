import { describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { isRepeat, isStoreUnavailable } from './store-unavailable.ts';

/** As the driver makes it of what went wrong with an `insertMany`. */
function bulk(given: ConstructorParameters<typeof mongo.MongoBulkWriteError>[0], concern?: { code: number }) {
  const result = { getWriteConcernError: () => concern } as unknown as mongo.BulkWriteResult;
  return new mongo.MongoBulkWriteError(given, result);
}
const refused = (code: number) => ({ message: 'refused', code, writeErrors: [{ code } as mongo.WriteError] });

describe('an insert of several records', () => {
  it.each<[string, Error]>([
    ['a time-out', new mongo.MongoNetworkTimeoutError('connection timed out')],
    ['a broken line', new mongo.MongoNetworkError('read ECONNRESET')],
    ['what a FerretDB says without its PostgreSQL', new mongo.MongoServerError({ message: 'internal', code: 1 })],
    ['a primary that steps down', new mongo.MongoServerError({ message: 'stepping down', code: 189 })],
  ])('found the store away with %s', (_, error) => {
    expect([isStoreUnavailable(bulk(error)), isRepeat(bulk(error))]).toEqual([true, false]);
  });

  it('is refused where a record of it is, or the command itself', () => {
    expect(isStoreUnavailable(bulk(refused(121)))).toBe(false);
    expect(isStoreUnavailable(bulk(new mongo.MongoServerError({ message: 'not authorized', code: 13 })))).toBe(false);
    const concern = { message: 'waiting for replication timed out', code: 64, writeErrors: [] };
    expect(isStoreUnavailable(bulk(concern, concern))).toBe(false);
  });

  it('is a repeat where all that is refused was there', () => {
    expect([isStoreUnavailable(bulk(refused(11_000))), isRepeat(bulk(refused(11_000)))]).toEqual([false, true]);
    expect(isRepeat(bulk(refused(121)))).toBe(false);
  });
});
