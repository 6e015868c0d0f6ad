import { STATUS_CODES } from 'node:http';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { API_PREFIX, type Endpoint, getBodyLimit, idempotencyKey } from '@atrium/proto-events/endpoint';
import { type ErrorCode, errorBody, STATUS_OF } from '@atrium/proto-events/errors';
import { z } from 'zod';

let cachedDocument: string | undefined;

export function openApiDocument(): string {
  cachedDocument ??= JSON.stringify(describeApi());
  return cachedDocument;
}

const DESCRIPTION = [
  'All endpoints of Atrium. Lists are paginated; times are ISO 8601 UTC; ids are 24 hexadecimal characters.',
  'Unknown fields are ignored.',
  'Unsupported methods get 405 with `Allow`; malformed ids in paths get 404, like unknown ones.',
  'Rules that a schema cannot express are listed with their error response: `x-rules` are possible values of `message`, `x-max-bytes` is the maximum body size.',
].join(' ');

export function describeApi() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { service, name, endpoint } of ALL_ENDPOINTS) {
    const path = toPathTemplate(endpoint.path);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation({ service, name, endpoint }) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atrium',
      version: '1',
      description: DESCRIPTION,
    },
    servers: [{ url: API_PREFIX }],
    tags: [...new Set(ALL_ENDPOINTS.map(({ service }) => service))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: jsonSchema(errorBody, 'output') },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

export function toPathTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

const COMMON_ERRORS: readonly ErrorCode[] = ['request_timeout', 'too_large', 'rate_limited', 'internal', 'unavailable'];
const BODY_ERRORS: readonly ErrorCode[] = ['validation_failed', 'invalid_json', 'unsupported_media_type'];
const BINARY_ERRORS: readonly ErrorCode[] = ['validation_failed'];

type ServiceEndpoint = { service: string; name: string; endpoint: Endpoint };

export function describeOperation({ service, name, endpoint }: ServiceEndpoint) {
  const body = describeBody(endpoint);
  return {
    operationId: `${service}.${name}`,
    tags: [service],
    summary: endpoint.summary,
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...describeParameters(endpoint, 'path'),
      ...describeParameters(endpoint, 'query'),
      ...describeHeaders(endpoint),
    ],
    ...(body && { requestBody: { required: needsBody(endpoint), content: body } }),
    responses: {
      [endpoint.status]: successResponse(endpoint, endpoint.status),
      ...(endpoint.alternateStatus && {
        [endpoint.alternateStatus]: successResponse(endpoint, endpoint.alternateStatus),
      }),
      ...describeErrorResponses(endpoint),
    },
  };
}

function describeParameters(endpoint: Endpoint, location: 'path' | 'query') {
  const schema = location === 'path' ? endpoint.params : endpoint.query;
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input');
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: property,
  }));
}

function describeHeaders({ idempotent }: Endpoint) {
  if (!idempotent) return [];
  const description = 'Chosen by the client. A repeated request with the same key gets the first response.';
  return [{ name: 'Idempotency-Key', in: 'header', description, schema: jsonSchema(idempotencyKey, 'input') }];
}

function describeBody({ body, multipart, binaryBody }: Endpoint) {
  const content = {
    ...(body && { 'application/json': { schema: jsonSchema(body, 'input') } }),
    ...(multipart && { 'multipart/form-data': { schema: jsonSchema(multipart, 'input') } }),
    ...(binaryBody && {
      'application/octet-stream': { schema: { type: 'string', format: 'binary', description: binaryBody } },
    }),
  };
  return body || multipart || binaryBody ? content : undefined;
}

/** An empty PATCH is rejected; other endpoints may accept an empty body. */
const needsBody = ({ method, body }: Endpoint) => method === 'PATCH' || !body?.safeParse({}).success;

function successResponse(endpoint: Endpoint, status: number) {
  const { alternateResponse, mediaType = 'application/json' } = endpoint;
  const response = status === 202 && alternateResponse ? alternateResponse : endpoint.response;
  const description = STATUS_CODES[status] ?? '';
  if (!response || status === 204 || status === 304) return { description };
  return { description, content: { [mediaType]: { schema: jsonSchema(response, 'output') } } };
}

/** OpenAPI has one response per status, so codes with the same status share it. */
function describeErrorResponses(endpoint: Endpoint) {
  const { access, params, query, body, multipart, binaryBody, idempotent, errors = [] } = endpoint;
  const codes = new Set<ErrorCode>([
    ...(query ? (['validation_failed'] as const) : []),
    ...(body || multipart ? BODY_ERRORS : []),
    ...(binaryBody ? BINARY_ERRORS : []),
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
      { ...describeErrors(endpoint, group), content: { 'application/json': { schema: errorSchemaFor(group) } } },
    ]),
  );
}

const errorSchemaFor = (codes: readonly ErrorCode[]) => ({
  allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
});

function describeErrors(endpoint: Endpoint, codes: readonly ErrorCode[]) {
  const description = codes.join(', ');
  if (codes.includes('too_large') && endpoint.body) {
    const maxBytes = getBodyLimit(endpoint);
    return { description: `${description}: more than ${maxBytes.toLocaleString('en')} bytes`, 'x-max-bytes': maxBytes };
  }
  const rules = codes.includes('validation_failed') ? listRules(endpoint) : [];
  if (rules.length === 0) return { description };
  return { description: `${description}. Additional rules: ${rules.join('; ')}`, 'x-rules': rules };
}

function listRules({ query, body, multipart, rules = [] }: Endpoint): string[] {
  const schemas = [query, body, multipart].filter((schema) => schema !== undefined);
  return [...new Set([...schemas.flatMap(listMessages), ...rules])];
}

export type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

/** JSON Schema 2020-12, as in OpenAPI 3.1. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as JsonSchema;
}

/** Messages of custom checks, which JSON Schema cannot express. */
function listMessages(schema: z.ZodType): string[] {
  const messages: string[] = [];
  const collect = ({ zodSchema }: { zodSchema: z.core.$ZodType }) => {
    for (const check of zodSchema._zod.def.checks ?? []) {
      // Checks with an `onattach` hook have their own JSON Schema keyword.
      if (!(check instanceof z.core.$ZodCustom) || check._zod.onattach.length > 0) continue;
      const issue = check._zod.def.error?.({ code: 'custom', input: undefined, path: [] });
      const message = typeof issue === 'string' ? issue : issue?.message;
      if (message !== undefined) messages.push(message);
    }
  };
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: collect });
  return messages;
}
