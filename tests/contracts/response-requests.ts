import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Endpoint } from '@atrium/proto-events/endpoint';
import type { ResponseRequest } from '@atrium/proto-events/responses/response';
import { z } from 'zod';

const ID = 'a'.repeat(24);

export const VIEWERS = (['admin', 'member'] as const).map((role) => ({
  userId: 'e'.repeat(24),
  role,
  departmentId: null,
}));

/** Text, such as a calendar, is for other programs than browsers. */
export const GET_ENDPOINTS = ALL_ENDPOINTS.map(({ endpoint }) => endpoint).filter(
  ({ method, mediaType }) => method === 'GET' && mediaType === undefined,
);

export const findEndpoint = (path: string): Endpoint | undefined =>
  GET_ENDPOINTS.find((endpoint) => endpoint.path === path);

type JsonSchema = { properties?: Record<string, JsonSchema>; enum?: string[] };

/** The parameters of a query with sample values: all options of an enumeration, and an id for everything else. */
export function listParameters(path: string): [name: string, values: readonly string[]][] {
  const { query } = findEndpoint(path) ?? {};
  if (!query) return [];
  const { properties = {} } = z.toJSONSchema(query, { io: 'output', unrepresentable: 'any' }) as JsonSchema;
  return Object.entries(properties).map(([name, schema]) => [name, schema.enum ?? [ID]]);
}

/** Requests of an endpoint by each viewer: without a query, with each value of each parameter, and with all parameters. */
export function sampleRequests(path: string): ResponseRequest[] {
  const parameters = listParameters(path);
  const queries: Record<string, string>[] = [
    {},
    ...parameters.flatMap(([name, values]) => values.map((value) => ({ [name]: value }))),
    Object.fromEntries(parameters.map(([name, [value = ID]]) => [name, value])),
  ];
  const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, ID]));
  return VIEWERS.flatMap((viewer) => queries.map((query) => ({ params, query: new URLSearchParams(query), viewer })));
}

/** The path of a request with ids in place of parameters. */
export const samplePath = (path: string) => path.replace(/:\w+/g, ID);
