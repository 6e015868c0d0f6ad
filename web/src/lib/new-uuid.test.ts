import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { newUuid } from './new-uuid.ts';

it('newUuid returns unique UUIDs of version 4', () => {
  const uuids = Array.from({ length: 200 }, newUuid);
  for (const uuid of uuids) expect(z.uuidv4().safeParse(uuid).success).toBe(true);
  expect(new Set(uuids).size).toBe(200);
});
