import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Endpoint } from '@atrium/proto-events/endpoint';
import { chatClientPayloads } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';

/** Fields with paragraphs. All other displayed fields are single lines. */
const PARAGRAPH_FIELDS = [
  'agenda',
  'base',
  'bio',
  'comment',
  'content',
  'description',
  'note',
  'notes',
  'notes.base',
  'notes.text',
  'summary',
  'text',
];
/** Fields that are never displayed: secrets, files, ids, error reports of browsers, and message types. */
const HIDDEN_FIELDS = [
  'alsoInConversation',
  'attachments',
  'currentPassword',
  'device',
  'file',
  'ids',
  'image',
  'message',
  'password',
  'path',
  'refreshToken',
  'setupToken',
  'stack',
  'token',
  'type',
];

const LINE_BREAKS = ['\n', '\r\n', '\r', '\t', '\v', '\f', '\u0007', '\u001b', '\u0085', '\u009b', '\u2028', '\u2029'];

type Schema = { _zod: { def: Record<string, unknown> }; safeParse(value: unknown): z.ZodSafeParseResult<unknown> };

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value;

/** Yields every string schema within a schema, with the path of its field. */
function* listStringSchemas(schema: Schema, name = ''): Generator<[name: string, schema: Schema]> {
  const { def } = schema._zod;
  const isText = def.type === 'string' || (def.type === 'pipe' && schema.safeParse('aaaaa').success);
  if (isText) {
    yield [name, schema];
    return;
  }
  for (const [key, value] of Object.entries(def)) {
    if (key === 'shape' && typeof value === 'object' && value !== null) {
      for (const [field, inner] of Object.entries(value)) {
        if (isSchema(inner)) yield* listStringSchemas(inner, name === '' ? field : `${name}.${field}`);
      }
    } else {
      for (const inner of [value].flat()) if (isSchema(inner)) yield* listStringSchemas(inner, name);
    }
  }
}

/** Lists the fields that accept and preserve a line break. */
function listMultilineFields(schema: z.ZodType | undefined): string[] {
  const texts = schema ? [...listStringSchemas(schema as unknown as Schema)] : [];
  const preservesLineBreak = (text: Schema) =>
    LINE_BREAKS.some((lineBreak) => {
      const { data } = text.safeParse(`aaaaa${lineBreak}bbbbb`);
      return [data].flat().some((part) => typeof part === 'string' && part.includes(lineBreak));
    });
  return texts.filter(([, text]) => preservesLineBreak(text)).map(([name]) => name);
}

const calls: (readonly [string, z.ZodType | undefined])[] = [
  ...ALL_ENDPOINTS.flatMap(({ endpoint }: { endpoint: Endpoint }) =>
    [endpoint.body, endpoint.multipart].map((schema) => [`${endpoint.method} ${endpoint.path}`, schema] as const),
  ),
  ...Object.entries(chatClientPayloads).map(([name, schema]) => [`(socket) ${name}`, schema] as const),
];

describe('a displayed field', () => {
  it('is a single line in every request, except for the listed fields', () => {
    const multilineFields = calls.flatMap(([call, schema]) =>
      listMultilineFields(schema).map((field) => ({ call, field })),
    );
    const listedFields = [...PARAGRAPH_FIELDS, ...HIDDEN_FIELDS];
    expect(multilineFields.filter(({ field }) => !listedFields.includes(field))).toEqual([]);
    expect(listedFields.filter((name) => !multilineFields.some(({ field }) => field === name))).toEqual([]);
  });
});
