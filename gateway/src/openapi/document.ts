import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { API_PREFIX } from '@atrium/proto-events/endpoint';
import { errorBody } from '@atrium/proto-events/errors';
import { jsonSchema } from './json-schema.ts';
import { operationOf } from './operation.ts';

let text: string | undefined;

/** The OpenAPI 3.1 document, generated from the validation schemas and cached. */
export function openApiDocument(): string {
  text ??= JSON.stringify(describeApi());
  return text;
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
    const path = templateOf(endpoint.path);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf({ service, name, endpoint }) };
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

/** Converts `/projects/:id` to `/projects/{id}`. */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}
