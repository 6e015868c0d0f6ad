import type { z } from 'zod';

/** The messages for this input; none if it is valid. */
export function sentences(schema: z.ZodType, input: unknown): string[] {
  const result = schema.safeParse(input);
  return result.success ? [] : [...new Set(result.error.issues.map(({ message }) => message))];
}
