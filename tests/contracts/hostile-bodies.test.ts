import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { type Endpoint, endpoint } from '@atrium/proto-events/endpoint';
import { chatClientPayloads } from '@atrium/proto-events/realtime';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { toErrorBody } from '@atrium/service-kit/http/http-errors';
import { parseRequest, type RawRequest } from '@atrium/service-kit/http/parse-request';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { HOSTILE_VALUES } from './hostile-values.ts';
import { sampleInputs } from './sample-input.ts';

const LIMIT_MS = 50;

/** Returns the lowest CPU time of three runs, so that other programs do not count. */
function measureCpuMs(run: () => void): number {
  let lowestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && lowestMs >= LIMIT_MS; round += 1) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    lowestMs = Math.min(lowestMs, (user + system) / 1000);
  }
  return lowestMs;
}

/** Parses a request like a service, and serializes the error if that fails. */
function handle(call: Endpoint, request: RawRequest): void {
  try {
    parseRequest(call, request);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    JSON.stringify(toErrorBody(error));
  }
}

/** Lists the fields that take too long, by location and value. */
function findSlowFields(call: Endpoint, location: 'params' | 'query' | 'body', schema: z.ZodType): string[] {
  const slow: string[] = [];
  const samples = buildSamples(call);
  const time = (name: string, value: unknown) => {
    const ms = measureCpuMs(() => handle(call, { ...samples, [location]: value }));
    if (ms >= LIMIT_MS) slow.push(`${location}.${name}: ${Math.round(ms)} ms`);
  };
  for (const [label, value] of HOSTILE_VALUES) time(`(whole body) = ${label}`, value);
  for (const sample of sampleInputs(schema)) {
    for (const field of Object.keys(sample)) {
      for (const [label, value] of HOSTILE_VALUES) time(`${field} = ${label}`, { ...sample, [field]: value });
    }
  }
  return slow;
}

const buildSamples = ({ params, query, body }: Endpoint): RawRequest => ({
  params: params && sampleInputs(params)[0],
  query: query && sampleInputs(query)[0],
  body: body && sampleInputs(body)[0],
});

const socketCalls: Endpoint[] = Object.entries(chatClientPayloads).map(([name, body]) =>
  endpoint({ method: 'POST', path: `(socket) ${name}`, summary: '', access: 'user', status: 204, body }),
);
const calls = [...ALL_ENDPOINTS.map((entry) => entry.endpoint), ...socketCalls]
  // Multipart fields are parsed with the same schema.
  .flatMap((call) => [
    ...(call.body || !call.multipart ? [call] : []),
    ...(call.multipart ? [{ ...call, body: call.multipart }] : []),
  ])
  .filter(({ params, query, body }) => params ?? query ?? body)
  .map((call) => [`${call.method} ${call.path}`, call] as const);

describe('a hostile value of a megabyte', () => {
  it.each(calls)('costs less than 50 ms in any field: %s', (_name, call) => {
    for (const location of ['params', 'query', 'body'] as const) {
      const schema = call[location];
      if (!schema) continue;
      for (const sample of sampleInputs(schema)) {
        expect({ sample, ...schema.safeParse(sample) }).toMatchObject({ success: true });
      }
      expect(findSlowFields(call, location, schema)).toEqual([]);
    }
  });

  it('is reported for a schema with a slow pattern', () => {
    // This pattern for emails takes quadratic time. It gets fewer letters, because a megabyte would take minutes.
    const name = z.string().transform((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(`${text.slice(0, 40_000)}@`));
    const slow = endpoint({
      ...calls[0]?.[1],
      method: 'POST',
      path: '/slow',
      summary: '',
      access: 'public',
      status: 204,
      body: z.object({ name }),
    });
    expect(findSlowFields(slow, 'body', slow.body)).toContainEqual(
      expect.stringMatching(/^body\.name = dots: \d+ ms$/),
    );
  });
});
