import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { z } from 'zod';
import type { KubeObject } from '../manifest.ts';

const file = z.object({
  kinds: z.record(z.string(), z.string()),
  components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
});

/** Refuses what a schema with a list of properties does not know, as the API server does when it is asked to be strict. */
const closed = (schema: Record<string, unknown>): Record<string, unknown> =>
  'properties' in schema && !('additionalProperties' in schema) ? { ...schema, additionalProperties: false } : schema;

const compile = (): Map<string, ValidateFunction> => {
  const { kinds, components } = file.parse(
    JSON.parse(readFileSync(join(import.meta.dirname, 'kubernetes.lock.json'), 'utf8')),
  );
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, closed(schema)]),
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

/** What Kubernetes' own schema of an object has against it. */
export function schemaFaults(one: KubeObject): string[] {
  validators ??= compile();
  const kind = `${one.apiVersion} ${one.kind}`;
  const validate = validators.get(kind);
  if (!validate) return [`${kind}: there is no such kind`];
  const isValid: boolean = validate(one);
  if (isValid) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${one.kind} ${one.metadata.name}${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}
