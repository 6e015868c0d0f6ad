import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { getBodyLimit } from '@atrium/proto-events/endpoint';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

/** Maximum bytes per character in UTF-8 (RFC 3629). */
const MAX_BYTES_PER_CHARACTER = 4;

type JsonSchema = {
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  maxItems?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  enum?: string[];
  const?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
};

/** Returns the bytes of the largest JSON text that a schema accepts. Throws if the schema sets no bound. */
function getMaxJsonSize(schema: JsonSchema, path: string): number {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return Math.max(...variants.map((variant) => getMaxJsonSize(variant, path)));
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values) return Math.max(...values.map((value) => JSON.stringify(value).length));
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    return fields.reduce((sum, [name, field]) => sum + name.length + 4 + getMaxJsonSize(field, `${path}.${name}`), 2);
  }
  if (schema.type === 'array') {
    if (schema.maxItems === undefined) throw new Error(`${path} has no maximum number of items`);
    return 2 + schema.maxItems * (1 + getMaxJsonSize(schema.items ?? {}, `${path}[]`));
  }
  return schema.type === 'string' ? getMaxTextSize(schema, path) : 24;
}

function getMaxTextSize({ maxLength, pattern, format }: JsonSchema, path: string): number {
  if (pattern === '^[0-9a-f]{24}$') return 26;
  if (maxLength !== undefined) return 2 + maxLength * MAX_BYTES_PER_CHARACTER;
  if (format === 'date' || format === 'uuid') return 38;
  throw new Error(`${path} has no maximum length`);
}

/** Calls without a length limit: an unknown refresh token of any length gets 401, so only the body limit bounds it. */
const UNBOUNDED_CALLS = ['POST /auth/refresh'];

const casesWithBody = ALL_ENDPOINTS.flatMap(({ endpoint }) => {
  const call = `${endpoint.method} ${endpoint.path}`;
  return endpoint.body && !UNBOUNDED_CALLS.includes(call) ? [[call, endpoint, endpoint.body] as const] : [];
});

const DEFAULT_LIMITS = { user: 65_536, admin: 65_536, public: 16_384 };

describe('the body limit of an endpoint', () => {
  it.each(casesWithBody)(
    'accepts the largest valid body and is not larger than necessary: %s',
    (_call, endpoint, body) => {
      const maxBodyBytes = getMaxJsonSize(
        z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
        'body',
      );
      expect(maxBodyBytes).toBeLessThanOrEqual(getBodyLimit(endpoint));
      if (endpoint.maxBodyBytes !== undefined) {
        expect(endpoint.maxBodyBytes).toBeLessThanOrEqual(1_048_576);
        expect(maxBodyBytes).toBeGreaterThan(DEFAULT_LIMITS[endpoint.access]);
      }
    },
  );

  it('is 16 KB for anonymous calls and 64 KB for all others', () => {
    const anonymous = ALL_ENDPOINTS.filter(
      ({ service, endpoint }) => service === 'auth' && endpoint.access === 'public',
    );
    expect(anonymous.length).toBeGreaterThan(5);
    for (const { endpoint } of anonymous) expect(getBodyLimit(endpoint)).toBe(DEFAULT_LIMITS.public);
    const authenticated = ALL_ENDPOINTS.filter(
      ({ endpoint }) => endpoint.access !== 'public' && !endpoint.maxBodyBytes,
    );
    for (const { endpoint } of authenticated) expect(getBodyLimit(endpoint)).toBe(DEFAULT_LIMITS.user);
  });
});
