import type { Endpoint, RequestOf, ResultOf } from '@atrium/proto-events/endpoint';
import type { Request, Response } from 'express';
import type { Caller } from './authenticate.ts';
import { compileSerializer } from './compile-serializer.ts';
import { isForm } from './json-body.ts';
import { parseRequest } from './parse-request.ts';

export type HttpExchange = { req: Request; res: Response };

const IS_EXISTING = 'isExisting';
const JSON_TYPE = 'application/json; charset=utf-8';

type CallerOf<E extends Endpoint> = E['access'] extends 'public' ? undefined : Caller;

export type Route = {
  endpoint: Endpoint;
  run(req: Request, res: Response, caller: Caller | undefined): Promise<void>;
};

/**
 * Connects an endpoint to its use case. The input is stripped of unknown fields, and the output contains only the
 * fields of the response schema, so that a database row can never leak.
 */
export function handle<const E extends Endpoint>(
  endpoint: E,
  useCase: (request: RequestOf<E>, caller: CallerOf<E>, exchange: HttpExchange) => Promise<ResultOf<E>>,
): Route {
  const { mediaType } = endpoint;
  const serialize = endpoint.response && mediaType === undefined ? compileSerializer(endpoint.response) : undefined;
  const serializeAccepted = endpoint.alternateResponse && compileSerializer(endpoint.alternateResponse);
  return {
    endpoint,
    async run(req, res, caller) {
      const { params, query, body } = req;
      const request = parseRequest(endpoint, { params, query, body, isForm: isForm(endpoint, req) });
      const result = await useCase(request, caller as CallerOf<E>, { req, res });
      if (res.headersSent) return;
      if (result === undefined && (endpoint.alternateStatus === 204 || endpoint.alternateStatus === 304)) {
        res.status(endpoint.alternateStatus).end();
        return;
      }
      if (mediaType !== undefined) {
        res.status(endpoint.status);
        send(res, `${mediaType}; charset=utf-8`, String(result));
        return;
      }
      if (serialize === undefined) {
        res.status(endpoint.status).end();
        return;
      }
      if (serializeAccepted && isAccepted(result)) {
        res.status(202);
        send(res, JSON_TYPE, serializeAccepted(result.accepted));
        return;
      }
      const json = serialize(result);
      res.status(res.locals[IS_EXISTING] === true ? 200 : endpoint.status);
      send(res, JSON_TYPE, json);
    },
  };
}

const isAccepted = (result: unknown): result is { accepted: unknown } =>
  typeof result === 'object' && result !== null && 'accepted' in result;

/** Bypasses Express's `send`, which determines the content type and freshness each time. */
function send(res: Response, type: string, text: string): void {
  res.setHeader('Content-Type', type);
  const bytes = Buffer.byteLength(text);
  res.setHeader('Content-Length', bytes);
  // Node writes Latin-1 faster than UTF-8, and the bytes of ASCII are the same.
  res.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

/** Responds 200 instead of 201, since the resource already existed. */
export function respondExisting({ res }: HttpExchange): void {
  res.locals[IS_EXISTING] = true;
}
