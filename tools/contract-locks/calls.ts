import { describeApi, jsonSchema } from '@atrium/gateway/routes/openapi';
import { chatClientPayloads, liveClientPayloads } from '@atrium/proto-events/realtime';
import { withoutAnnotations } from './canonical.ts';
import { findSchemaBreaks } from './schema-breaks.ts';
import type { JsonSchema } from './schema-variants.ts';

export type Call = {
  needsSignIn: boolean;
  parameters: Record<string, JsonSchema>;
  needsBody: boolean;
  bodies: Record<string, JsonSchema>;
  mostBytes?: number;
  /** By status; null without a body. */
  answers: Record<string, JsonSchema | null>;
};

type Content = Record<string, { schema: JsonSchema }>;
type Operation = {
  security: unknown[];
  parameters: { name: string; in: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content; 'x-max-bytes'?: number }>;
};

export function currentCalls(): Record<string, Call> {
  const paths = describeApi().paths as Record<string, Record<string, Operation>>;
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, callOf(operation)]),
  );
  const sockets = Object.entries({ '/chat': chatClientPayloads, '/live': liveClientPayloads }).flatMap(
    ([namespace, payloads]) =>
      Object.entries(payloads).map(([name, schema]) => [
        `SOCKET ${namespace} ${name}`,
        socketCall(withoutAnnotations(jsonSchema(schema, 'input'))),
      ]),
  );
  return Object.fromEntries([...calls, ...sockets]) as Record<string, Call>;
}

const socketCall = (payload: JsonSchema): Call => ({
  needsSignIn: true,
  parameters: {},
  needsBody: true,
  bodies: { payload },
  answers: {},
});

export function callOf({ security, parameters, requestBody, responses }: Operation): Call {
  const places = [...new Set(parameters.map((parameter) => parameter.in))];
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const mostBytes = responses['413']?.['x-max-bytes'];
  return {
    needsSignIn: security.length > 0,
    parameters: Object.fromEntries(places.map((place) => [place, parametersIn(place, parameters)])),
    needsBody: requestBody?.required ?? false,
    bodies: schemasIn(requestBody?.content),
    ...(mostBytes !== undefined && { mostBytes }),
    answers: Object.fromEntries(
      successes.map(([status, { content }]) => [status, Object.values(schemasIn(content))[0] ?? null]),
    ),
  };
}

function parametersIn(place: string, parameters: Operation['parameters']): JsonSchema {
  const own = parameters.filter((parameter) => parameter.in === place);
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, withoutAnnotations(schema)])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
  };
}

const schemasIn = (content: Content = {}): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, withoutAnnotations(schema)]));

export function findCallBreaks(before: Call, after: Call | undefined): string[] {
  if (!after) return ['was removed'];
  const { parameters, bodies, answers, mostBytes = Infinity } = before;
  const maxBytesNow = after.mostBytes ?? Infinity;
  return [
    ...(after.needsSignIn && !before.needsSignIn ? ['now requires sign-in'] : []),
    ...Object.keys({ ...parameters, ...after.parameters }).flatMap((place) =>
      findSchemaBreaks(parameters[place] ?? NOTHING, after.parameters[place] ?? NOTHING, 'request', place),
    ),
    ...(after.needsBody && !before.needsBody ? ['now requires a body'] : []),
    ...(maxBytesNow < mostBytes ? [`now accepts at most ${maxBytesNow} bytes instead of ${mostBytes}`] : []),
    ...Object.entries(bodies).flatMap(([type, body]) => {
      const now = after.bodies[type];
      return now ? findSchemaBreaks(body, now, 'request', 'body') : [`no longer accepts ${type}`];
    }),
    ...responseBreaks(answers, after.answers),
  ];
}

const NOTHING: JsonSchema = { type: 'object', properties: {} };

function responseBreaks(before: Call['answers'], after: Call['answers']): string[] {
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
