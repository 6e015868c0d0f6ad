import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { z } from 'zod';
import type { KubeObject } from '../manifest.ts';

const file = z.object({
  kinds: z.record(z.string(), z.string()),
  components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
});

type Schema = Record<string, unknown>;
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/**
 * Makes schemas that list properties reject unknown ones, as the API server does with strict validation. Parts of
 * `allOf` and similar keywords stay open, because each describes only some properties.
 */
const rejectUnknownProperties = (schema: Schema): Schema => {
  const { properties, items, additionalProperties } = schema;
  const fields = isSchema(properties) ? Object.entries(properties) : undefined;
  return {
    ...schema,
    ...(fields && {
      additionalProperties: schema['x-kubernetes-preserve-unknown-fields'] === true,
      properties: Object.fromEntries(
        fields.map(([name, property]) => [name, isSchema(property) ? rejectUnknownProperties(property) : property]),
      ),
    }),
    ...(isSchema(items) && { items: rejectUnknownProperties(items) }),
    ...(isSchema(additionalProperties) && { additionalProperties: rejectUnknownProperties(additionalProperties) }),
  };
};

/** Converts Go patterns with inline flags to JavaScript. */
const regExp = Object.assign(
  (pattern: string, flags: string) =>
    pattern.includes('(?i)') ? new RegExp(pattern.replace('(?i)', ''), `${flags}i`) : new RegExp(pattern, flags),
  { code: 'new RegExp' },
);

const compile = (): Map<string, ValidateFunction> => {
  const { kinds, components } = file.parse(
    JSON.parse(readFileSync(join(import.meta.dirname, 'kubernetes.lock.json'), 'utf8')),
  );
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, code: { regExp } });
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, rejectUnknownProperties(schema)]),
  );
  ajv.addSchema({ $id: 'kubernetes', components: { schemas } });
  return new Map(
    Object.entries(kinds).map(([kind, name]) => [
      kind,
      ajv.compile({ $ref: `kubernetes#/components/schemas/${name}` }),
    ]),
  );
};

let validators: Map<string, ValidateFunction> | undefined;

/** Validates an object against its Kubernetes schema and returns the errors. */
export function schemaErrors(object: KubeObject): string[] {
  validators ??= compile();
  const kind = `${object.apiVersion} ${object.kind}`;
  const validate = validators.get(kind);
  if (!validate) return [`${kind}: unknown kind`];
  const isValid: boolean = validate(object);
  if (isValid) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${object.kind} ${object.metadata.name}${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}
