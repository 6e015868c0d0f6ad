import type { z } from 'zod';

/** What a person would be told about this input; nothing when it is right. */
export function sentences(schema: z.ZodType, input: unknown): string[] {
  const result = schema.safeParse(input);
  return result.success ? [] : [...new Set(result.error.issues.map(({ message }) => message))];
}
