import { createServer, type Server } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { remoteKeys } from '@atrium/service-kit/http/authenticate';
import {
  addressBlock,
  createProxyTrust,
  plainAddress,
  type TrustedProxies,
} from '@atrium/service-kit/http/client-info';
import { watchOverload } from '@atrium/service-kit/http/overload';
import { createLogger, type Logger } from '@atrium/service-kit/observability/logger';
import type { Metrics } from '@atrium/service-kit/observability/metrics';
import { startTracing } from '@atrium/service-kit/observability/tracing';
import { createInFlightLimiter } from '@atrium/service-kit/process/concurrency';
import { createHealth, type HealthReport, measureHealth } from '@atrium/service-kit/process/health';
import { closeServer, createBoundedServer, listen, localUrl } from '@atrium/service-kit/process/http-server';
import express, { type Express } from 'express';
import { createGateway, type Gateway } from './app.ts';
import type { Config } from './config.ts';
import { createGatewayMetrics } from './gateway-metrics.ts';
import { connectRateLimitStores, createRateLimiters } from './rate-limiting/rate-limit.ts';
import { createTokenOwnerFinder } from './rate-limiting/rate-limit-subject.ts';
import { UPSTREAMS } from './upstream/upstreams.ts';

export type RunningGateway = { url: string; internalUrl: string; log: Logger; close(): Promise<void> };

const KEY_SET_FETCH = { timeoutMs: 1_000, retryAfterMs: 5_000 };

export async function startGateway(config: Config): Promise<RunningGateway> {
  const log = createLogger('gateway', config.LOG_LEVEL);
  const tracing = await startTracing('gateway', config);
  const metrics = createGatewayMetrics(UPSTREAMS);
  const stores = connectRateLimitStores(config.REDIS_URL, config.REDIS_PREFIX, log);
  const rateLimiters = createRateLimiters(config, stores, metrics.rateLimitedRequests);
  const overload = watchOverload();
  const keys = remoteKeys(
    config.AUTH_JWKS_URL ?? new URL('/.well-known/jwks.json', config.AUTH_URL).href,
    KEY_SET_FETCH,
  );
  const findOwner = createTokenOwnerFinder(keys);
  const gateway = createGateway({ config, log, metrics, rateLimiters, findOwner, isOverloaded: overload.overloaded });
  let isStopping = false;
  const server = createPublicServer(gateway, config, () => isStopping);
  const health = createHealth(stores.checks);
  measureHealth(metrics.registry, health);
  const internal = createServer(createInternalApp({ health, metrics, isStopping: () => isStopping }));
  const [port, internalPort] = await Promise.all([
    listen(server, config.PORT, config.HOST),
    listen(internal, config.INTERNAL_PORT, config.HOST),
  ]);
  log.info({ port, internalPort, trustedProxies: config.TRUSTED_PROXIES, uptimeSeconds: process.uptime() }, 'ready');
  return {
    url: localUrl(config.HOST, port),
    internalUrl: localUrl(config.HOST, internalPort),
    log,
    async close() {
      // Load balancers must stop sending requests before the port closes.
      isStopping = true;
      if (config.DRAIN_SECONDS > 0) await delay(config.DRAIN_SECONDS * 1000);
      overload.close();
      const serverClosed = closeServer(server, config);
      gateway.closeSockets();
      await serverClosed;
      gateway.close();
      for (const limiter of Object.values(rateLimiters)) limiter.close();
      stores.close();
      internal.closeAllConnections();
      await new Promise((resolve) => internal.close(resolve));
      await tracing.close();
    },
  };
}

function createPublicServer(gateway: Gateway, config: Config, isStopping: () => boolean): Server {
  const server = createBoundedServer(gateway.handle, {
    // Applies to uploads; other bodies are limited by BODY_TIMEOUT_SECONDS.
    requestMs: config.UPLOAD_TIMEOUT_SECONDS * 1000,
    headersMs: Math.min(config.BODY_TIMEOUT_SECONDS, config.UPLOAD_TIMEOUT_SECONDS) * 1000,
    isDraining: isStopping,
    wantsUpgrade: gateway.wantsUpgrade,
  });
  limitConnections(server, createProxyTrust(config.TRUSTED_PROXIES), config.MAX_CONNECTIONS_PER_IP);
  // Each upstream proxy adds listeners; avoids Node's leak warning.
  server.setMaxListeners(2 * UPSTREAMS.length);
  server.timeout = 120_000;
  server.on('upgrade', (req, socket, head) => {
    if (socket instanceof Socket) gateway.upgrade(req, socket, head);
    else socket.destroy();
  });
  return server;
}

function limitConnections(server: Server, isTrusted: TrustedProxies, maxPerAddress: number): void {
  const openConnections = createInFlightLimiter();
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (isTrusted(address)) return;
    const subnet = addressBlock(address);
    if (!openConnections.acquire(subnet, maxPerAddress)) {
      socket.destroy();
      return;
    }
    socket.once('close', () => openConnections.release(subnet));
  });
}

type InternalAppOptions = { health: () => Promise<HealthReport>; metrics: Metrics; isStopping: () => boolean };

function createInternalApp({ health, metrics, isStopping }: InternalAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', async (_req, res) => {
    const report = await health();
    if (isStopping()) res.status(503).json({ ...report, status: 'unavailable' });
    else res.status(report.status === 'unavailable' ? 503 : 200).json(report);
  });
  app.get('/metrics', async (_req, res) => {
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return app;
}
