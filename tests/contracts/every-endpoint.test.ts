import { describeApi, templateOf } from '@atrium/gateway/openapi/document';
import { serviceOf } from '@atrium/gateway/upstreams';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { describe, expect, it } from '@jest/globals';

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
  requestBody?: object;
  responses: Record<string, { content?: object }>;
};

describe('every endpoint', () => {
  it.each(cases)('is in the OpenAPI document, with what it takes and what it answers: %s', (_call, { endpoint }) => {
    const operation = paths[templateOf(endpoint.path)]?.[endpoint.method.toLowerCase()];
    expect(operation?.summary).toBe(endpoint.summary);
    expect(operation?.security).toHaveLength(endpoint.access === 'user' ? 1 : 0);
    expect(operation?.requestBody !== undefined).toBe(Boolean(endpoint.body ?? endpoint.multipart));
    expect(operation?.responses[endpoint.status]?.content !== undefined).toBe(endpoint.response !== undefined);
    if (endpoint.access === 'user') expect(operation?.responses).toHaveProperty('401');
    const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  });

  it.each(cases.filter(([, { service }]) => service !== 'gateway'))(
    'has a row in the gateway that leads to its service: %s',
    (_call, { service, endpoint }) => {
      expect(serviceOf(`/api${endpoint.path}`)).toBe(service);
    },
  );
});

describe('the OpenAPI document', () => {
  it('lists nothing that does not exist', () => {
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const known = new Set(ALL_ENDPOINTS.map(({ endpoint }) => `${endpoint.method} ${templateOf(endpoint.path)}`));
    expect(listed.filter((call) => !known.has(call))).toEqual([]);
  });

  it('gives each call a name of its own, and refers to nothing that is not in it', () => {
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
