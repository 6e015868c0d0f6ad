import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'deploy/observability');

const dashboard = z.object({
  title: z.string(),
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

/** The alerts, as the file has them. */
export const readAlerts = () =>
  rules.parse(parse(readFileSync(join(FOLDER, 'alerts.yaml'), 'utf8'))).spec.groups.flatMap((group) => group.rules);

/** Every query of the dashboards, and where it stands. */
export const readPanels = () =>
  readdirSync(join(FOLDER, 'dashboards')).flatMap((file) => {
    const { title, panels } = dashboard.parse(JSON.parse(readFileSync(join(FOLDER, 'dashboards', file), 'utf8')));
    return panels.flatMap((panel) => panel.targets.map(({ expr }) => ({ place: `${title} / ${panel.title}`, expr })));
  });

/** The page that says what to do for each alert. */
export const readRunbook = () => readFileSync(join(ROOT, 'docs/alerts.md'), 'utf8');
