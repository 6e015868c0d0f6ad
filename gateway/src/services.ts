import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@atrium/service-kit/app-error';
import type { Logger } from '@atrium/service-kit/logger';
import type { Config } from './config.ts';
import { prepareHeaders, type Visit } from './entrance.ts';
import { createProxy, type Forwarder, passOn } from './proxy.ts';
import { refuse } from './refuse.ts';
import { addressOf, SERVICES, type Service } from './upstreams.ts';

/** Requests that may be with one service at a time; one that hangs must not fill the gateway's memory. */
const MAX_IN_FLIGHT = 1_000;

type Lane = { proxy: Forwarder; inFlight: number };
type Given = { req: IncomingMessage; res: ServerResponse; visit: Visit; body?: Buffer };

/** The way to each service. */
export function createServices(config: Config, log: Logger) {
  const entries = SERVICES.map((name) => {
    const proxy = createProxy({
      name,
      target: addressOf(name, config),
      timeoutMs: config.UPSTREAM_TIMEOUT_SECONDS * 1000,
      log,
      answer: passOn,
    });
    const lane: Lane = { proxy, inFlight: 0 };
    return [name, lane] as const;
  });
  const lanes = new Map(entries);
  return {
    forward(service: Service, { req, res, visit, body }: Given): void {
      const lane = lanes.get(service);
      if (!lane || lane.inFlight >= MAX_IN_FLIGHT) {
        refuse(res, busy());
        return;
      }
      lane.inFlight += 1;
      res.once('close', () => {
        lane.inFlight -= 1;
      });
      prepareHeaders(req, visit);
      lane.proxy.forward(req, res, body);
    },
    close(): void {
      for (const { proxy } of lanes.values()) proxy.close();
    },
  };
}

const busy = () =>
  new AppError('unavailable', 'The server is busy. Please try again in a moment.', { retryAfterSeconds: 1 });
