import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const PROCESSES: readonly string[] = ['gateway', ...readdirSync(join(ROOT, 'services'))];

const propertySchema = z.object({
  description: z.string(),
  secret: z.literal(true).optional(),
  default: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
});
const objectSchema = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

export type Variable = {
  name: string;
  process: string;
  description: string;
  isSecret: boolean;
  isRequired: boolean;
  default: string;
  values: readonly string[];
};

export async function readVariables(process: string): Promise<Variable[]> {
  const schema = await importSchema(process);
  const { properties, required } = objectSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return Object.entries(properties).map(([name, json]) => {
    const parsed = propertySchema.safeParse(json);
    if (!parsed.success) throw new Error(`${name} of ${process} has no description in its schema`);
    const { description, secret, default: value = '', enum: values = [] } = parsed.data;
    const isRequired = required.includes(name);
    return {
      name,
      process,
      description,
      isSecret: secret ?? false,
      isRequired,
      default: String(value),
      values,
    };
  });
}

export async function importSchema(process: string): Promise<z.ZodType> {
  const folder = process === 'gateway' ? process : `services/${process}`;
  const { href } = pathToFileURL(join(ROOT, folder, 'src/config.ts'));
  const { schema } = (await import(href)) as { schema: z.ZodType };
  return schema;
}
