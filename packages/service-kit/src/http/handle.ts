import type { Endpoint, RequestOf, ResultOf } from '@atrium/proto-events/endpoint';
import type { Request, Response } from 'express';
import type { Caller } from './authenticate.ts';
import { compileAnswer } from './compile-answer.ts';
import { isForm } from './json-body.ts';
import { parseRequest } from './parse-request.ts';

/** The plain HTTP exchange, for the few handlers that stream. */
export type Exchange = { req: Request; res: Response };

const EXISTING = 'answeredExisting';

type CallerOf<E extends Endpoint> = E['access'] extends 'public' ? undefined : Caller;

/** A call and what answers it. */
export type Route = {
  endpoint: Endpoint;
  run(req: Request, res: Response, caller: Caller | undefined): Promise<void>;
};

/**
 * Mounts a use case behind its contract: the input is parsed and stripped of unknown fields, and of the result goes out what the response
 * schema names, so that a database row can never leak. The HTTP app has authenticated the caller and read the body before.
 */
export function handle<const E extends Endpoint>(
  endpoint: E,
  useCase: (request: RequestOf<E>, caller: CallerOf<E>, exchange: Exchange) => Promise<ResultOf<E>>,
): Route {
  const write = endpoint.response && compileAnswer(endpoint.response);
  return {
    endpoint,
    async run(req, res, caller) {
      const { params, query, body } = req;
      const request = parseRequest(endpoint, { params, query, body, isForm: isForm(endpoint, req) });
      const result = await useCase(request, caller as CallerOf<E>, { req, res });
      if (res.headersSent) return;
      if (write === undefined || (endpoint.also === 204 && result === undefined)) {
        res.status(write === undefined ? endpoint.status : 204).end();
        return;
      }
      const answer = write(result);
      res.status(res.locals[EXISTING] === true ? 200 : endpoint.status);
      sendJson(res, answer);
    },
  };
}

/** As Express does, which looks into the type of what it sends each time, and whether the caller has it already. */
function sendJson(res: Response, json: string): void {
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(json));
  res.end(json);
}

/** Answers that something was there already: 200 instead of the endpoint's 201. */
export function answerExisting({ res }: Exchange): void {
  res.locals[EXISTING] = true;
}
