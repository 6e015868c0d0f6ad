import { STATUS_CODES } from 'node:http';
import { bodyLimitOf, type Endpoint, idempotencyKey } from '@atrium/proto-events/endpoint';
import { type ErrorCode, STATUS_OF } from '@atrium/proto-events/errors';
import { jsonSchema, sentencesOf } from './json-schema.ts';

/** Errors that every endpoint can return; others are listed in its contract. */
const COMMON_ERRORS: readonly ErrorCode[] = ['request_timeout', 'too_large', 'rate_limited', 'internal', 'unavailable'];
const BODY_ERRORS: readonly ErrorCode[] = ['validation_failed', 'invalid_json', 'unsupported_media_type'];
const BYTES_ERRORS: readonly ErrorCode[] = ['validation_failed'];

type Call = { service: string; name: string; endpoint: Endpoint };

export function operationOf({ service, name, endpoint }: Call) {
  const body = bodyOf(endpoint);
  return {
    operationId: `${service}.${name}`,
    tags: [service],
    summary: endpoint.summary,
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parametersOf(endpoint, 'path'), ...parametersOf(endpoint, 'query'), ...headersOf(endpoint)],
    ...(body && { requestBody: { required: needsBody(endpoint), content: body } }),
    responses: {
      [endpoint.status]: successResponse(endpoint, endpoint.status),
      ...(endpoint.alternateStatus && {
        [endpoint.alternateStatus]: successResponse(endpoint, endpoint.alternateStatus),
      }),
      ...errorResponsesOf(endpoint),
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

function headersOf({ idempotent }: Endpoint) {
  if (!idempotent) return [];
  const description = 'Chosen by the client. A repeated request with the same key gets the first response.';
  return [{ name: 'Idempotency-Key', in: 'header', description, schema: jsonSchema(idempotencyKey, 'input') }];
}

function bodyOf({ body, multipart, bytes }: Endpoint) {
  const content = {
    ...(body && { 'application/json': { schema: jsonSchema(body, 'input') } }),
    ...(multipart && { 'multipart/form-data': { schema: jsonSchema(multipart, 'input') } }),
    ...(bytes && { 'application/octet-stream': { schema: { type: 'string', format: 'binary', description: bytes } } }),
  };
  return body || multipart || bytes ? content : undefined;
}

/** An empty PATCH is rejected; other endpoints may accept an empty body. */
const needsBody = ({ method, body }: Endpoint) => method === 'PATCH' || !body?.safeParse({}).success;

function successResponse({ response, media = 'application/json' }: Endpoint, status: number) {
  const description = STATUS_CODES[status] ?? '';
  if (!response || status === 204 || status === 304) return { description };
  return { description, content: { [media]: { schema: jsonSchema(response, 'output') } } };
}

/** Codes with the same status share a response; its description lists them. */
function errorResponsesOf(endpoint: Endpoint) {
  const { access, params, query, body, multipart, bytes, idempotent, errors = [] } = endpoint;
  const codes = new Set<ErrorCode>([
    ...(query ? (['validation_failed'] as const) : []),
    ...(body || multipart ? BODY_ERRORS : []),
    ...(bytes ? BYTES_ERRORS : []),
    ...(access === 'public' ? [] : (['unauthorized'] as const)),
    ...(access === 'admin' ? (['forbidden'] as const) : []),
    ...(params ? (['not_found'] as const) : []),
    ...(idempotent ? (['conflict'] as const) : []),
    ...errors,
    ...COMMON_ERRORS,
  ]);
  const byStatus = Map.groupBy(codes, (code) => STATUS_OF[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      { ...describeErrors(endpoint, group), content: { 'application/json': { schema: errorWith(group) } } },
    ]),
  );
}

const errorWith = (codes: readonly ErrorCode[]) => ({
  allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
});

/** Description for codes without a schema. `x-rules` lists the possible validation messages. */
function describeErrors(endpoint: Endpoint, codes: readonly ErrorCode[]) {
  const description = codes.join(', ');
  if (codes.includes('too_large') && endpoint.body) {
    const maxBytes = bodyLimitOf(endpoint);
    return { description: `${description}: more than ${maxBytes.toLocaleString('en')} bytes`, 'x-max-bytes': maxBytes };
  }
  const rules = codes.includes('validation_failed') ? rulesOf(endpoint) : [];
  if (rules.length === 0) return { description };
  return { description: `${description}. Additional rules: ${rules.join('; ')}`, 'x-rules': rules };
}

function rulesOf({ query, body, multipart, rules = [] }: Endpoint): string[] {
  const schemas = [query, body, multipart].filter((schema) => schema !== undefined);
  return [...new Set([...schemas.flatMap(sentencesOf), ...rules])];
}
