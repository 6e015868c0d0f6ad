import { z } from 'zod';

/** Makes the JSON of one answer. Throws where a value is of another kind than its schema says: a fault of ours. */
export type Serializer = (value: unknown) => string;

type Schema = z.core.$ZodType;

/** Checks that leave a value as it is; what others do to it only zod knows. */
const LEAVING = new Set(['string_format', 'number_format', 'max_length', 'min_length', 'less_than', 'greater_than']);

/**
 * Compiles the schema of an answer once, into a function that copies the fields that it names and no others. What a text says and how
 * large a number is was looked at when it came in, and is in tests, which parse every answer; here each value only has to be of its
 * kind, so that nothing hides in it. Anything but objects, lists and plain values is left to zod.
 */
export function compileSerializer(schema: z.ZodType): Serializer {
  const source = new Source();
  const copied = source.expression(schema, 'value', 'the answer');
  // As zod makes its own parsers. Of the schema it holds nothing but names of fields and values, written as JSON.
  const make = new Function(
    'schemas',
    'parse',
    'refuse',
    `${source.functions.join('\n')}\nreturn (value) => ${copied};`,
  );
  const copy: (value: unknown) => unknown = make(source.schemas, z.parse, refuse);
  return (value) => JSON.stringify(copy(value));
}

function refuse(field: string, value: unknown): never {
  throw new TypeError(`the contract has something else than ${value === null ? 'null' : typeof value} for ${field}`);
}

class Source {
  /** One for each kind of object: what comes in several places is the same function there. */
  readonly functions: string[] = [];
  /** Those that are left to zod. */
  readonly schemas: Schema[] = [];
  readonly #known = new Map<Schema, string>();

  /** What copies `value`, an expression that may be written several times; `field` is what it is called where it is refused. */
  expression(schema: Schema, value: string, field: string): string {
    const { _zod: known } = schema as z.core.$ZodTypes;
    const { def } = known;
    const when = (condition: string, copy = value) =>
      `(${condition} ? ${copy} : refuse(${JSON.stringify(field)}, ${value}))`;
    if (isRewritten(def)) return this.#parsed(schema, value);
    switch (def.type) {
      case 'string':
      case 'boolean':
        return when(`typeof ${value} === '${def.type}'`);
      case 'number':
        return when(`Number.isFinite(${value})`);
      case 'enum':
      case 'literal':
        return when([...(known.values ?? [])].map((one) => `${value} === ${JSON.stringify(one)}`).join(' || '));
      case 'nullable':
        return `(${value} === null ? null : ${this.expression(def.innerType, value, field)})`;
      case 'optional':
        return `(${value} === undefined ? undefined : ${this.expression(def.innerType, value, field)})`;
      case 'array':
        return when(
          `Array.isArray(${value})`,
          `${value}.map((item) => ${this.expression(def.element, 'item', field)})`,
        );
      case 'object':
        return when(
          `typeof ${value} === 'object' && ${value} !== null && !Array.isArray(${value})`,
          `${this.#object(schema, def)}(${value})`,
        );
      default:
        return this.#parsed(schema, value);
    }
  }

  #parsed(schema: Schema, value: string): string {
    return `parse(schemas[${this.schemas.push(schema) - 1}], ${value})`;
  }

  #object(schema: Schema, { shape }: z.core.$ZodObjectDef): string {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const name = `copy${this.#known.size}`;
    this.#known.set(schema, name);
    const fields = Object.entries(shape).map(([field, of]) => {
      const written = JSON.stringify(field);
      return `${written}: ${this.expression(of, `from[${written}]`, field)}`;
    });
    this.functions.push(`function ${name}(from) { return { ${fields.join(', ')} }; }`);
    return name;
  }
}

/** Whether parsing gives, or may give, something else than it was given. */
function isRewritten(def: z.core.$ZodTypes['_zod']['def']): boolean {
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
    checks.some(({ _zod }) => !LEAVING.has(_zod.def.check))
  );
}
