import { describeApi, jsonSchema } from '@atrium/gateway/routes/openapi';
import { chatClientPayloads, liveClientPayloads } from '@atrium/proto-events/realtime';
import { withoutAnnotations } from './canonical.ts';
import { findSchemaBreaks } from './schema-breaks.ts';
import type { JsonSchema } from './schema-variants.ts';

/** A call as stored in calls.snapshot.json. */
export type Call = {
  needsSignIn: boolean;
  parameters: Record<string, JsonSchema>;
  needsBody: boolean;
  bodies: Record<string, JsonSchema>;
  mostBytes?: number;
  /** Response schemas by status; null if the response has no body. */
  answers: Record<string, JsonSchema | null>;
};

type Content = Record<string, { schema: JsonSchema }>;
type Operation = {
  security: unknown[];
  parameters: { name: string; in: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content; 'x-max-bytes'?: number }>;
};

export function listCurrentCalls(): Record<string, Call> {
  const paths = describeApi().paths as Record<string, Record<string, Operation>>;
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, toCall(operation)]),
  );
  const sockets = Object.entries({ '/chat': chatClientPayloads, '/live': liveClientPayloads }).flatMap(
    ([namespace, payloads]) =>
      Object.entries(payloads).map(([name, schema]) => [
        `SOCKET ${namespace} ${name}`,
        toSocketCall(withoutAnnotations(jsonSchema(schema, 'input'))),
      ]),
  );
  return Object.fromEntries([...calls, ...sockets]) as Record<string, Call>;
}

const toSocketCall = (payload: JsonSchema): Call => ({
  needsSignIn: true,
  parameters: {},
  needsBody: true,
  bodies: { payload },
  answers: {},
});

export function toCall({ security, parameters, requestBody, responses }: Operation): Call {
  const locations = [...new Set(parameters.map((parameter) => parameter.in))];
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const mostBytes = responses['413']?.['x-max-bytes'];
  return {
    needsSignIn: security.length > 0,
    parameters: Object.fromEntries(locations.map((location) => [location, toParametersSchema(location, parameters)])),
    needsBody: requestBody?.required ?? false,
    bodies: toSchemas(requestBody?.content),
    ...(mostBytes !== undefined && { mostBytes }),
    answers: Object.fromEntries(
      successes.map(([status, { content }]) => [status, Object.values(toSchemas(content))[0] ?? null]),
    ),
  };
}

function toParametersSchema(location: string, parameters: Operation['parameters']): JsonSchema {
  const matching = parameters.filter((parameter) => parameter.in === location);
  return {
    type: 'object',
    properties: Object.fromEntries(matching.map(({ name, schema }) => [name, withoutAnnotations(schema)])),
    required: matching.filter(({ required }) => required).map(({ name }) => name),
  };
}

const toSchemas = (content: Content = {}): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, withoutAnnotations(schema)]));

export function findCallBreaks(before: Call, after: Call | undefined): string[] {
  if (!after) return ['was removed'];
  const { parameters, bodies, answers, mostBytes = Infinity } = before;
  const newMaxBytes = after.mostBytes ?? Infinity;
  return [
    ...(after.needsSignIn && !before.needsSignIn ? ['now requires sign-in'] : []),
    ...Object.keys({ ...parameters, ...after.parameters }).flatMap((location) =>
      findSchemaBreaks(
        parameters[location] ?? EMPTY_OBJECT,
        after.parameters[location] ?? EMPTY_OBJECT,
        'request',
        location,
      ),
    ),
    ...(after.needsBody && !before.needsBody ? ['now requires a body'] : []),
    ...(newMaxBytes < mostBytes ? [`now accepts at most ${newMaxBytes} bytes instead of ${mostBytes}`] : []),
    ...Object.entries(bodies).flatMap(([type, body]) => {
      const now = after.bodies[type];
      return now ? findSchemaBreaks(body, now, 'request', 'body') : [`no longer accepts ${type}`];
    }),
    ...findResponseBreaks(answers, after.answers),
  ];
}

const EMPTY_OBJECT: JsonSchema = { type: 'object', properties: {} };

function findResponseBreaks(before: Call['answers'], after: Call['answers']): string[] {
  const other = Object.keys({ ...before, ...after }).filter((status) => !(status in before && status in after));
  return [
    ...other.map((status) => (status in after ? `may now return ${status}` : `no longer returns ${status}`)),
    ...Object.entries(before).flatMap(([status, body]) => {
      const now = after[status];
      if (!body || now === undefined) return [];
      return now
        ? findSchemaBreaks(body, now, 'response', `response ${status}`)
        : [`response ${status} no longer has a body`];
    }),
  ];
}
