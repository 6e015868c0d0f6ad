import { describeApi } from '@atrium/gateway/openapi/document';
import { jsonSchema } from '@atrium/gateway/openapi/json-schema';
import { chatClientPayloads, liveClientPayloads } from '@atrium/proto-events/realtime';
import { withoutWords } from './canonical.ts';
import { findSchemaBreaks } from './schema-breaks.ts';
import type { JsonSchema } from './schema-variants.ts';

/** A call as clients know it: what they must send, and what they get where it succeeds. */
export type Call = {
  needsSignIn: boolean;
  /** What stands in the path, the query and the headers, each as the schema of an object. */
  parameters: Record<string, JsonSchema>;
  needsBody: boolean;
  /** By media type. */
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

/** Every call of the OpenAPI document, and every event that a socket takes from its client. */
export function presentCalls(): Record<string, Call> {
  const paths = describeApi().paths as Record<string, Record<string, Operation>>;
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, callOf(operation)]),
  );
  const sockets = Object.entries({ '/chat': chatClientPayloads, '/live': liveClientPayloads }).flatMap(
    ([namespace, payloads]) =>
      Object.entries(payloads).map(([name, schema]) => [
        `SOCKET ${namespace} ${name}`,
        socketCall(withoutWords(jsonSchema(schema, 'input'))),
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

/** What an operation of the document holds its clients to. */
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
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, withoutWords(schema)])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
  };
}

const schemasIn = (content: Content = {}): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, withoutWords(schema)]));

/** What a client of before stumbles over. */
export function findCallBreaks(before: Call, after: Call | undefined): string[] {
  if (!after) return ['is gone'];
  const { parameters, bodies, answers, mostBytes = Infinity } = before;
  const mostNow = after.mostBytes ?? Infinity;
  return [
    ...(after.needsSignIn && !before.needsSignIn ? ['asks who calls now'] : []),
    ...Object.keys({ ...parameters, ...after.parameters }).flatMap((place) =>
      findSchemaBreaks(parameters[place] ?? NOTHING, after.parameters[place] ?? NOTHING, 'request', place),
    ),
    ...(after.needsBody && !before.needsBody ? ['demands a body now'] : []),
    ...(mostNow < mostBytes ? [`takes ${mostNow} bytes at most now, it took ${mostBytes}`] : []),
    ...Object.entries(bodies).flatMap(([type, body]) => {
      const now = after.bodies[type];
      return now ? findSchemaBreaks(body, now, 'request', 'body') : [`takes no ${type} any longer`];
    }),
    ...answerBreaks(answers, after.answers),
  ];
}

const NOTHING: JsonSchema = { type: 'object', properties: {} };

function answerBreaks(before: Call['answers'], after: Call['answers']): string[] {
  const other = Object.keys({ ...before, ...after }).filter((status) => !(status in before && status in after));
  return [
    ...other.map((status) => (status in after ? `may answer ${status} now` : `answers ${status} no longer`)),
    ...Object.entries(before).flatMap(([status, body]) => {
      const now = after[status];
      if (!body || now === undefined) return [];
      return now ? findSchemaBreaks(body, now, 'answer', `answer ${status}`) : [`answer ${status} has no body now`];
    }),
  ];
}
