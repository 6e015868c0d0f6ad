import { createModels } from '@atrium/notifications/store/models';
import { describe, expect, it } from '@jest/globals';
import { createConnection } from 'mongoose';
import { COLLECTIONS } from './collections.ts';

describe('the collections that a backup knows', () => {
  it('are all that notifications has: each is brought to the cut in a way that its records allow', () => {
    const models = Object.values(createModels(createConnection()));
    expect(Object.keys(COLLECTIONS).sort()).toEqual(models.map(({ collection }) => collection.name).sort());
  });
});
