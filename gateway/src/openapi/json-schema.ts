import { z } from 'zod';

export type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

/** The JSON schema (2020-12, as OpenAPI 3.1 uses it) of what a caller sends (`input`) or receives (`output`). */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as JsonSchema;
}

/** The sentences of the rules in a schema that JSON schema has no words for, such as one about two fields. */
export function sentencesOf(schema: z.ZodType): string[] {
  const sentences: string[] = [];
  const collect = ({ zodSchema }: { zodSchema: z.core.$ZodType }) => {
    for (const check of zodSchema._zod.def.checks ?? []) {
      // What tells the schema something when it is attached has a keyword of its own there.
      if (!(check instanceof z.core.$ZodCustom) || check._zod.onattach.length > 0) continue;
      const told = check._zod.def.error?.({ code: 'custom', input: undefined, path: [] });
      const sentence = typeof told === 'string' ? told : told?.message;
      if (sentence !== undefined) sentences.push(sentence);
    }
  };
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: collect });
  return sentences;
}
