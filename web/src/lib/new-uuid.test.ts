import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { newUuid } from './new-uuid.ts';

it('makes UUIDs of version 4, each another one', () => {
  const made = Array.from({ length: 200 }, newUuid);
  for (const uuid of made) expect(z.uuidv4().safeParse(uuid).success).toBe(true);
  expect(new Set(made).size).toBe(200);
});
