import { z } from 'zod';

export type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

/** The JSON schema (2020-12, as in OpenAPI 3.1) of a request (`input`) or a response (`output`). */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as JsonSchema;
}

/** Messages of custom checks that JSON Schema cannot express, such as those on two fields. */
export function sentencesOf(schema: z.ZodType): string[] {
  const sentences: string[] = [];
  const collect = ({ zodSchema }: { zodSchema: z.core.$ZodType }) => {
    for (const check of zodSchema._zod.def.checks ?? []) {
      // Checks with an `onattach` hook have their own JSON Schema keyword.
      if (!(check instanceof z.core.$ZodCustom) || check._zod.onattach.length > 0) continue;
      const issue = check._zod.def.error?.({ code: 'custom', input: undefined, path: [] });
      const sentence = typeof issue === 'string' ? issue : issue?.message;
      if (sentence !== undefined) sentences.push(sentence);
    }
  };
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: collect });
  return sentences;
}
