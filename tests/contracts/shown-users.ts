import { isUserRef } from '@atrium/proto-events/people-once';
import type { z } from 'zod';

/** Whether a response shows users: whole, or as references. */
export function showsUsers(schema: z.core.$ZodType | undefined): boolean {
  if (!schema) return false;
  if (isUserRef(schema)) return true;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'nullable':
    case 'optional':
      return showsUsers(def.innerType);
    case 'array':
      return showsUsers(def.element);
    case 'union':
      return def.options.some(showsUsers);
    case 'object':
      return 'firstName' in def.shape || Object.values(def.shape).some(showsUsers);
    default:
      return false;
  }
}
