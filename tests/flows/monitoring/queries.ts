import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../../..');
const OBSERVABILITY_DIR = join(ROOT, 'deploy/observability');

const dashboard = z.object({
  title: z.string(),
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

const rules = z.object({
  spec: z.object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(['critical', 'warning']) }),
            annotations: z.object({ summary: z.string().min(10), runbook: z.string() }),
          }),
        ),
      }),
    ),
  }),
});

export const readAlerts = () =>
  rules
    .parse(parse(readFileSync(join(OBSERVABILITY_DIR, 'alerts.yaml'), 'utf8')))
    .spec.groups.flatMap((group) => group.rules);

const readDashboards = () =>
  readdirSync(join(OBSERVABILITY_DIR, 'dashboards')).map((file) =>
    dashboard.parse(JSON.parse(readFileSync(join(OBSERVABILITY_DIR, 'dashboards', file), 'utf8'))),
  );

/** Reads every query of the dashboards, with its panel. */
export const readPanels = () =>
  readDashboards().flatMap(({ title, panels }) =>
    panels.flatMap((panel) => panel.targets.map(({ expr }) => ({ panel: `${title} / ${panel.title}`, expr }))),
  );

/** Reads the variables of each dashboard. */
export const readVariables = () => readDashboards().map(({ templating }) => templating.list.map(({ name }) => name));

/** Reads the sections of the runbook, by alert. */
export const readRunbook = () =>
  new Map(
    readFileSync(join(ROOT, 'docs/self-hosting/alerts.md'), 'utf8')
      .split(/^### /m)
      .slice(1)
      .map((section) => [/^\w+/.exec(section)?.[0] ?? '', section]),
  );
