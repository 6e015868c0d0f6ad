import { userSummary } from '@atrium/proto-events/people';
import { isUserRef, people } from '@atrium/proto-events/people-once';
import { z } from 'zod';

export type Serializer = (value: unknown) => string;

type Schema = z.core.$ZodType;

/** Checks that do not change a value. Only zod knows the effect of the others. */
const NON_MUTATING_CHECKS = new Set([
  'string_format',
  'number_format',
  'max_length',
  'min_length',
  'less_than',
  'greater_than',
]);

/**
 * Compiles a function that copies exactly the fields that the schema names. Constraints on strings and numbers were
 * validated on input, so only types are checked. Anything but objects, arrays, and primitives is delegated to zod. Where
 * the schema has references to users, their details are collected for the field `people`.
 */
export function compileSerializer(schema: z.ZodType): Serializer {
  const source = new SourceBuilder();
  const expression = source.expression(schema, 'value', 'the response');
  // Zod builds its own parsers in the same way. The code contains only field names and values of the schema, as JSON.
  const compile = new Function(
    'schemas',
    'parse',
    'reject',
    `${source.functions.join('\n')}\nreturn (value) => { const users = new Map(); return ${expression}; };`,
  );
  const copy: (value: unknown) => unknown = compile(source.schemas, z.parse, rejectValue);
  return (value) => JSON.stringify(copy(value));
}

function rejectValue(field: string, value: unknown): never {
  throw new TypeError(`The contract does not allow ${value === null ? 'null' : typeof value} for ${field}`);
}

class SourceBuilder {
  readonly functions: string[] = [];
  readonly schemas: Schema[] = [];
  readonly #copyFunctions = new Map<Schema, string>();

  /** `value` is a side-effect-free expression; `field` is its name in errors. */
  expression(schema: Schema, value: string, field: string): string {
    const { _zod: internals } = schema as z.core.$ZodTypes;
    const { def } = internals;
    const copyIf = (condition: string, copy = value) =>
      `(${condition} ? ${copy} : reject(${JSON.stringify(field)}, ${value}))`;
    if (schema === people)
      return `[...users.values()].map((user) => ${this.expression(userSummary, 'user', 'people')})`;
    if (changesValue(def)) return this.#parseCall(schema, value);
    switch (def.type) {
      case 'string':
      case 'boolean':
        return copyIf(`typeof ${value} === '${def.type}'`);
      case 'number':
        return copyIf(`Number.isFinite(${value})`);
      case 'enum':
      case 'literal':
        return copyIf([...(internals.values ?? [])].map((item) => `${value} === ${JSON.stringify(item)}`).join(' || '));
      case 'nullable':
        return `(${value} === null ? null : ${this.expression(def.innerType, value, field)})`;
      case 'optional':
        return `(${value} === undefined ? undefined : ${this.expression(def.innerType, value, field)})`;
      case 'array':
        return copyIf(
          `Array.isArray(${value})`,
          `${value}.map((item) => ${this.expression(def.element, 'item', field)})`,
        );
      case 'object':
        return copyIf(
          `typeof ${value} === 'object' && ${value} !== null && !Array.isArray(${value})`,
          `${this.#copyFunction(schema, def)}(${value}, users)`,
        );
      default:
        return this.#parseCall(schema, value);
    }
  }

  #parseCall(schema: Schema, value: string): string {
    return `parse(schemas[${this.schemas.push(schema) - 1}], ${value})`;
  }

  #copyFunction(schema: Schema, { shape }: z.core.$ZodObjectDef): string {
    const existingName = this.#copyFunctions.get(schema);
    if (existingName !== undefined) return existingName;
    const name = `copy${this.#copyFunctions.size}`;
    this.#copyFunctions.set(schema, name);
    const fields = Object.entries(shape).map(([field, fieldSchema]) => {
      const key = JSON.stringify(field);
      return `${key}: ${this.expression(fieldSchema, `from[${key}]`, field)}`;
    });
    const collect = isUserRef(schema) ? 'users.set(from._id, from); ' : '';
    this.functions.push(`function ${name}(from, users) { ${collect}return { ${fields.join(', ')} }; }`);
    return name;
  }
}

function changesValue(def: z.core.$ZodTypes['_zod']['def']): boolean {
  const {
    coerce,
    catchall,
    format,
    checks = [],
  } = def as { coerce?: boolean; catchall?: Schema; format?: string; checks?: z.core.$ZodCheck[] };
  return (
    Boolean(coerce) ||
    catchall !== undefined ||
    format === 'url' ||
    checks.some(({ _zod }) => !NON_MUTATING_CHECKS.has(_zod.def.check))
  );
}
