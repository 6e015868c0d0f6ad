import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { type Endpoint, endpoint } from '@atrium/proto-events/endpoint';
import { chatClientPayloads, liveClientPayloads } from '@atrium/proto-events/realtime';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { parseInput } from '@atrium/service-kit/http/parse-request';
import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { sampleInputs } from './sample-input.ts';

/** Matches the beginning of zod's default messages. */
const ZOD_DEFAULT_MESSAGE =
  /^(?:Invalid (?:input|option|element|key|discriminator|string|number|.*(?:expected|must)|ISO |URL$|UUID$|GUID$|email address$|format)|Too (?:big|small)|Unrecognized key|Expected |Required$)/;

/** Values that clients commonly send by mistake. */
const COMMON_MISTAKES: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'x',
  'x'.repeat(20_000),
  '\u0000',
  -1,
  0,
  1.5,
  1e300,
  true,
  [],
  ['x'],
  ['x', 'x'],
  Array.from({ length: 2_000 }, (_, n) => n),
  [{}],
  {},
  { a: { b: 1 } },
];

const socketCalls: Endpoint[] = Object.entries({ ...chatClientPayloads, ...liveClientPayloads }).map(([name, body]) =>
  endpoint({ method: 'POST', path: `(socket) ${name}`, summary: '', access: 'user', status: 204, body }),
);
const inputs = [...ALL_ENDPOINTS.map((entry): Endpoint => entry.endpoint), ...socketCalls].flatMap((call) =>
  (['query', 'body', 'multipart'] as const).flatMap((part) =>
    call[part] ? [[`${call.method} ${call.path}`, part, call[part]] as const] : [],
  ),
);

function collectMessages(part: 'query' | 'body', schema: z.ZodType, values: unknown): string[] {
  try {
    parseInput(part, schema, values);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.extra.messages ?? [error.message];
  }
}

describe('the validation message for an invalid value', () => {
  it.each(inputs)("is never zod's default message, and starts with a capital letter: %s, %s", (_call, part, schema) => {
    const values = sampleInputs(schema).flatMap((sample) =>
      Object.keys(sample).flatMap((field) => COMMON_MISTAKES.map((value) => ({ ...sample, [field]: value }))),
    );
    const messages = [...COMMON_MISTAKES, ...values].flatMap((value) =>
      collectMessages(part === 'query' ? part : 'body', schema, value),
    );
    expect(
      [...new Set(messages)].filter((message) => ZOD_DEFAULT_MESSAGE.test(message) || !/^[A-Z]/.test(message)),
    ).toEqual([]);
  });
});
