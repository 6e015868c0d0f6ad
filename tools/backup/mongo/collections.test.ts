import { createModels } from '@atrium/notifications/store/models';
import { describe, expect, it } from '@jest/globals';
import { createConnection } from 'mongoose';
import { COLLECTIONS } from './dump-collections.ts';

describe('COLLECTIONS', () => {
  it('lists every collection of notifications', () => {
    const models = Object.values(createModels(createConnection()));
    expect(Object.keys(COLLECTIONS).sort()).toEqual(models.map(({ collection }) => collection.name).sort());
  });
});
