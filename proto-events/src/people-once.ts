import { z } from 'zod';
import { id } from './fields.ts';
import { type UserSummary, userSummary } from './people.ts';

/** A user in a list: the details are in `people`, next to the items. */
type UserRef<User> = { _id: string } & Omit<User, keyof UserSummary>;

/** Only `userSummary` and its extensions have a field `deleted`, so that the items of a list of users stay whole. */
type IsSummary<T> = T extends { firstName: string } ? ('deleted' extends keyof T ? true : false) : false;

/** An item of a list: every user in it is a reference. */
export type WithRefs<T> = T extends readonly (infer Item)[]
  ? WithRefs<Item>[]
  : T extends object
    ? IsSummary<T> extends true
      ? UserRef<T>
      : { [Field in keyof T]: WithRefs<T[Field]> }
    : T;

type RefSchema<T extends z.ZodType> = z.ZodType<WithRefs<z.output<T>>, z.input<T>>;

const refs = new WeakSet<z.core.$ZodType>();

/** Whether the schema is that of a reference. Services serialize it from a whole user, and add that user to `people`. */
export const isUserRef = (schema: z.core.$ZodType): boolean => refs.has(schema);

/**
 * The referenced users, each once. Services collect them while they serialize, so that use cases return
 * items with whole users.
 */
export const people = z
  .array(userSummary)
  .optional()
  .describe('Every user in the items, once; the items contain only the `_id` of each');

/** Returns the schema of an item in a list: users become references, with the fields that belong to the item. */
export function withRefs<T extends z.ZodType>(schema: T): RefSchema<T> {
  return replaceUsers(schema) as z.ZodType as RefSchema<T>;
}

/** Whether a list of these items refers to users. */
export const hasRefs = (item: z.ZodType): boolean => replaceUsers(item) !== item;

const replacements = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

function replaceUsers(schema: z.core.$ZodType): z.core.$ZodType {
  const existing = replacements.get(schema);
  if (existing) return existing;
  const replacement = describeLike(schema, replace(schema as z.core.$ZodTypes));
  replacements.set(schema, replacement);
  return replacement;
}

function replace(schema: z.core.$ZodTypes): z.core.$ZodType {
  const { def } = schema._zod;
  switch (def.type) {
    case 'nullable':
    case 'optional': {
      const innerType = replaceUsers(def.innerType);
      return innerType === def.innerType ? schema : clone(schema, { innerType });
    }
    case 'array': {
      const element = replaceUsers(def.element);
      return element === def.element ? schema : clone(schema, { element });
    }
    case 'object':
      return isSummary(def.shape) ? toRef(def.shape) : replaceFields(schema, def.shape);
    default:
      return schema;
  }
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

const isSummary = (shape: Shape) => 'firstName' in shape && 'deleted' in shape;

function toRef(shape: Shape): z.ZodObject {
  const fields = Object.entries(shape).filter(([name]) => !(name in userSummary.shape));
  const ref = z.object({ _id: id, ...Object.fromEntries(fields) });
  refs.add(ref);
  return ref;
}

const clone = (schema: z.core.$ZodType, change: object): z.core.$ZodType =>
  z.core.clone(schema, { ...schema._zod.def, ...change } as z.core.$ZodTypeDef);

function replaceFields(schema: z.core.$ZodType, shape: Shape): z.core.$ZodType {
  const fields = Object.entries(shape).map(([name, field]): [string, z.core.$ZodType] => [name, replaceUsers(field)]);
  const isSame = fields.every(([name, field]) => field === shape[name]);
  return isSame ? schema : clone(schema, { shape: Object.fromEntries(fields) });
}

function describeLike(original: z.core.$ZodType, replacement: z.core.$ZodType): z.core.$ZodType {
  const { description } = original as z.ZodType;
  if (replacement === original || description === undefined) return replacement;
  const described = (replacement as z.ZodType).describe(description);
  if (refs.has(replacement)) refs.add(described);
  return described;
}
