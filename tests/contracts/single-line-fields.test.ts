import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Endpoint } from '@atrium/proto-events/endpoint';
import { chatClientPayloads } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';

/** Fields with paragraphs. Every other displayed text is a single line. */
const PARAGRAPHS = [
  'agenda',
  'base',
  'bio',
  'comment',
  'content',
  'description',
  'notes',
  'notes.base',
  'notes.text',
  'summary',
  'text',
];
/** Secrets, files, ids, error reports of browsers, and message types, none of which are displayed. */
const NOT_SHOWN = [
  'attachments',
  'currentPassword',
  'device',
  'file',
  'ids',
  'message',
  'password',
  'path',
  'refreshToken',
  'setupToken',
  'stack',
  'token',
  'type',
];

const BREAKS = ['\n', '\r\n', '\r', '\t', '\v', '\f', '\u0007', '\u001b', '\u0085', '\u009b', '\u2028', '\u2029'];

type Schema = { _zod: { def: Record<string, unknown> }; safeParse(value: unknown): z.ZodSafeParseResult<unknown> };

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value;

/** Every text within a schema, with the name of its field. */
function* textsIn(schema: Schema, name = ''): Generator<[name: string, schema: Schema]> {
  const { def } = schema._zod;
  const isText = def.type === 'string' || (def.type === 'pipe' && schema.safeParse('aaaaa').success);
  if (isText) {
    yield [name, schema];
    return;
  }
  for (const [key, value] of Object.entries(def)) {
    if (key === 'shape' && typeof value === 'object' && value !== null) {
      for (const [field, inner] of Object.entries(value)) {
        if (isSchema(inner)) yield* textsIn(inner, name === '' ? field : `${name}.${field}`);
      }
    } else {
      for (const inner of [value].flat()) if (isSchema(inner)) yield* textsIn(inner, name);
    }
  }
}

/** The names of fields that accept and keep a line break. */
function fieldsWithBreaks(schema: z.ZodType | undefined): string[] {
  const texts = schema ? [...textsIn(schema as unknown as Schema)] : [];
  const keeps = (text: Schema) =>
    BREAKS.some((one) => {
      const { data } = text.safeParse(`aaaaa${one}bbbbb`);
      return [data].flat().some((part) => typeof part === 'string' && part.includes(one));
    });
  return texts.filter(([, text]) => keeps(text)).map(([name]) => name);
}

const calls: (readonly [string, z.ZodType | undefined])[] = [
  ...ALL_ENDPOINTS.flatMap(({ endpoint }: { endpoint: Endpoint }) =>
    [endpoint.body, endpoint.multipart].map((schema) => [`${endpoint.method} ${endpoint.path}`, schema] as const),
  ),
  ...Object.entries(chatClientPayloads).map(([name, schema]) => [`(socket) ${name}`, schema] as const),
];

describe('a name', () => {
  it('is a single line in every request', () => {
    const found = calls.flatMap(([call, schema]) => fieldsWithBreaks(schema).map((field) => ({ call, field })));
    const known = [...PARAGRAPHS, ...NOT_SHOWN];
    expect(found.filter(({ field }) => !known.includes(field))).toEqual([]);
    expect(known.filter((name) => !found.some(({ field }) => field === name))).toEqual([]);
  });
});
