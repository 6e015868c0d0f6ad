import { z } from 'zod';
import { boundedArray, optionalName, storedText } from './fields.ts';
import { distinctNames } from './text/fold.ts';
import { countChars } from './text-length.ts';

const TAG_RULE = 'At most 30 tags of 50 characters';

export const tags = z
  .union([storedText(5000).transform((list) => list.split(',')), boundedArray(100, z.array(optionalName(50)))], {
    error: TAG_RULE,
  })
  .transform(distinctNames)
  .refine((list) => list.length <= 30 && list.every((tag) => countChars(tag) <= 50), TAG_RULE);
