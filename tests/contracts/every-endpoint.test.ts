import { readdirSync } from 'node:fs';
import { describeApi, toPathTemplate } from '@atrium/gateway/routes/openapi';
import { findService } from '@atrium/gateway/upstream/upstreams';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { getBodyLimit } from '@atrium/proto-events/endpoint';
import { describe, expect, it } from '@jest/globals';
import { TABLE } from '../flows/authorization/roles/table.ts';
import { ROOT, read } from './sources.ts';

const cases = ALL_ENDPOINTS.map((entry) => [`${entry.endpoint.method} ${entry.endpoint.path}`, entry] as const);
const { paths, components } = describeApi() as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object; securitySchemes: object };
};
type Operation = {
  operationId: string;
  summary: string;
  security: object[];
  parameters: { name: string; in: string }[];
  requestBody?: { required: boolean };
  responses: Record<string, { description: string; content?: object; 'x-rules'?: string[]; 'x-max-bytes'?: number }>;
};

const findOperation = (call: string) => {
  const [method = '', path = ''] = call.split(' ');
  return paths[path]?.[method.toLowerCase()];
};

describe('every endpoint', () => {
  it.each(cases)('is in the OpenAPI document with its parameters and responses: %s', (_call, { endpoint }) => {
    const operation = paths[toPathTemplate(endpoint.path)]?.[endpoint.method.toLowerCase()];
    expect(operation?.summary).toBe(endpoint.summary);
    expect(operation?.security).toHaveLength(endpoint.access === 'public' ? 0 : 1);
    expect(operation?.requestBody !== undefined).toBe(
      Boolean(endpoint.body ?? endpoint.multipart ?? endpoint.binaryBody),
    );
    expect(operation?.responses[endpoint.status]?.content !== undefined).toBe(endpoint.response !== undefined);
    if (endpoint.access !== 'public') expect(operation?.responses).toHaveProperty('401');
    if (endpoint.access === 'admin') expect(operation?.responses).toHaveProperty('403');
    expect(endpoint.forbiddenMessage ?? '').toMatch(endpoint.access === 'admin' ? /^Only administrators can / : /^$/);
    for (const status of ['408', '413', '429', '500', '503']) expect(operation?.responses).toHaveProperty(status);
    if (endpoint.body ?? endpoint.multipart) expect(operation?.responses).toHaveProperty('415');
    if (endpoint.body) expect(operation?.responses['413']?.['x-max-bytes']).toBe(getBodyLimit(endpoint));
    const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  });

  it.each(cases.filter(([, { service }]) => service !== 'gateway'))(
    'has a gateway route to its service: %s',
    (_call, { service, endpoint }) => {
      expect(findService(`/api${endpoint.path}`)).toBe(service);
    },
  );
});

it('every endpoint has a row in the role table, which has no other rows', () => {
  expect([...new Set(TABLE.map(({ call }) => call))].sort()).toEqual(cases.map(([call]) => call).sort());
});

/** Calls that create something without an `Idempotency-Key`, with the reason why a retry creates no duplicate. */
const RETRIED_WITHOUT_KEY: Readonly<Record<string, string>> = {
  'POST /auth/register': 'an email address has one account',
  'POST /auth/accept-invite': 'an invitation is accepted once; a retry with its password signs in',
  'POST /chat/emoji': 'a name has one emoji; a retry responds 409, and the list shows it',
  'POST /documents/uploads/:id/complete': 'an upload becomes one document; a retry returns it',
  'POST /meetings/feed': 'a user has one calendar link; a retry replaces the one that was lost',
};

describe('a retry after a lost response', () => {
  const creatingCases = cases.filter(([, { endpoint }]) => endpoint.status === 201);
  const keyedCases = cases.filter(([, { endpoint }]) => endpoint.idempotent);
  const sources = readdirSync(`${ROOT}/web/src`, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && file !== 'lib/api/api.ts')
    .map((file) => read(`web/src/${file}`));

  it('creates no duplicate, because every creating call has a key or a listed reason', () => {
    const withoutKey = creatingCases.filter(([, { endpoint }]) => !endpoint.idempotent && !endpoint.idempotencyField);
    expect(withoutKey.map(([call]) => call).sort()).toEqual(Object.keys(RETRIED_WITHOUT_KEY).sort());
  });

  it.each(keyedCases)('has the same idempotency key in the web app: %s', (call) => {
    const callTexts = sources.flatMap((source) => source.split(/call<typeof \w+>\(\s*/).slice(1));
    const unkeyed = callTexts.filter(
      (text) => text.startsWith(`'${call}'`) && !/^[^;]*(idempotencyOptions\(|\{ headers \})/.test(text),
    );
    expect(unkeyed).toEqual([]);
  });
});

describe('the OpenAPI document', () => {
  it('lists only existing endpoints', () => {
    const documentedCalls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const existingCalls = new Set(
      ALL_ENDPOINTS.map(({ endpoint }) => `${endpoint.method} ${toPathTemplate(endpoint.path)}`),
    );
    expect(documentedCalls.filter((call) => !existingCalls.has(call))).toEqual([]);
  });

  it('lists rules that its schemas cannot express', () => {
    const getRules = (call: string) => findOperation(call)?.responses['400']?.['x-rules'];
    expect(getRules('GET /tasks')).toEqual(['Invalid date', 'Narrow the search to see more']);
    // Rules about two fields, one field, and existing data.
    const meetingRules = [
      'End time must be after start time',
      'Unknown time zone',
      'Participants must be active users',
    ];
    expect(getRules('POST /meetings')).toEqual(expect.arrayContaining(meetingRules));
    expect(getRules('POST /departments')).toBeUndefined();
  });

  it('marks a body as required only if the endpoint rejects a request without one', () => {
    const isRequired = (call: string) => findOperation(call)?.requestBody?.required;
    expect(isRequired('POST /chat/conversations/{id}/read')).toBe(false);
    expect(isRequired('POST /chat/messages')).toBe(true);
    expect(isRequired('PATCH /users/profile')).toBe(true);
    expect(isRequired('POST /documents/upload')).toBe(true);
  });

  it('has a unique id for each operation and no dangling references', () => {
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(ALL_ENDPOINTS.length);
    const references = [...JSON.stringify(paths).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference ?? '',
    );
    expect(new Set(references)).toEqual(new Set(['#/components/schemas/Error']));
    expect(Object.keys(components.schemas)).toEqual(['Error']);
    expect(Object.keys(components.securitySchemes)).toEqual(['bearer']);
  });
});
