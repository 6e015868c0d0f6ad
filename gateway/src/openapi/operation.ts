import { STATUS_CODES } from 'node:http';
import type { Endpoint } from '@atrium/proto-events/endpoint';
import { type ErrorCode, STATUS_OF } from '@atrium/proto-events/errors';
import { jsonSchema } from './json-schema.ts';

/** Refusals that every call can give; the rest stands in its contract. */
const ALWAYS: readonly ErrorCode[] = ['rate_limited', 'internal', 'unavailable'];
const WITH_BODY: readonly ErrorCode[] = [
  'validation_failed',
  'invalid_json',
  'request_timeout',
  'too_large',
  'unsupported_media_type',
];

type Call = { service: string; name: string; endpoint: Endpoint };

/** One call as an operation. */
export function operationOf({ service, name, endpoint }: Call) {
  const body = bodyOf(endpoint);
  return {
    operationId: `${service}.${name}`,
    tags: [service],
    summary: endpoint.summary,
    security: endpoint.access === 'user' ? [{ bearer: [] }] : [],
    parameters: [...parametersOf(endpoint, 'path'), ...parametersOf(endpoint, 'query')],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: {
      [endpoint.status]: successOf(endpoint, endpoint.status),
      ...(endpoint.also && { [endpoint.also]: successOf(endpoint, endpoint.also) }),
      ...refusalsOf(endpoint),
    },
  };
}

function parametersOf(endpoint: Endpoint, place: 'path' | 'query') {
  const schema = place === 'path' ? endpoint.params : endpoint.query;
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input');
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function bodyOf({ body, multipart }: Endpoint) {
  const content = {
    ...(body && { 'application/json': { schema: jsonSchema(body, 'input') } }),
    ...(multipart && { 'multipart/form-data': { schema: jsonSchema(multipart, 'input') } }),
  };
  return body || multipart ? content : undefined;
}

function successOf({ response }: Endpoint, status: number) {
  const description = STATUS_CODES[status] ?? '';
  if (!response || status === 204) return { description };
  return { description, content: { 'application/json': { schema: jsonSchema(response, 'output') } } };
}

/** Codes of one status share an answer, whose description lists them. */
function refusalsOf({ access, params, query, body, multipart, errors = [] }: Endpoint) {
  const codes = new Set<ErrorCode>([
    ...(query ? (['validation_failed'] as const) : []),
    ...(body || multipart ? WITH_BODY : []),
    ...(access === 'user' ? (['unauthorized'] as const) : []),
    ...(params ? (['not_found'] as const) : []),
    ...errors,
    ...ALWAYS,
  ]);
  const byStatus = Map.groupBy(codes, (code) => STATUS_OF[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}
