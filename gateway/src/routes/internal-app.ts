import type { Metrics } from '@atrium/service-kit/observability/metrics';
import type { HealthReport } from '@atrium/service-kit/process/health';
import express, { type Express } from 'express';

type Options = { health: () => Promise<HealthReport>; metrics: Metrics; stopping: () => boolean };

/** Probes and metrics, on a port that is not public. */
export function createInternalApp({ health, metrics, stopping }: Options): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', async (_req, res) => {
    const report = await health();
    if (stopping()) res.status(503).json({ ...report, status: 'unavailable' });
    else res.status(report.status === 'unavailable' ? 503 : 200).json(report);
  });
  app.get('/metrics', async (_req, res) => {
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return app;
}
