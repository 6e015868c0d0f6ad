import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

export type Series = { name: string; labels: ReadonlyMap<string, string> };

/** Parses the Prometheus text format. */
export function readExposition(text: string): Series[] {
  return [...text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => ({
    name,
    labels: new Map([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [key, value])),
  }));
}

/** Adds the label that distinguishes installations, as scraping in a cluster does. */
export const addScrapeLabels = ({ name, labels }: Series): Series => ({
  name,
  labels: new Map([...labels, ['namespace', 'atrium']]),
});

/**
 * Metrics of kube-state-metrics that alerts use; see
 * https://github.com/kubernetes/kube-state-metrics/blob/main/docs/metrics/workload/cronjob-metrics.md.
 */
const CRON_JOB_METRICS = ['kube_cronjob_created', 'kube_cronjob_status_last_successful_time'];

const kubeObject = z.object({ kind: z.string(), metadata: z.object({ name: z.string() }) });

/** Lists the series that kube-state-metrics exports for the CronJobs in Atrium's manifests. */
export function readKubeState(): Series[] {
  const file = join(import.meta.dirname, '../../../deploy/components/backup/backup.yaml');
  const objects = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => kubeObject.parse(document.toJS()));
  const cronJobs = objects.filter(({ kind }) => kind === 'CronJob');
  return cronJobs.flatMap(({ metadata }) =>
    CRON_JOB_METRICS.map((name) => ({
      name,
      labels: new Map([
        ['namespace', 'atrium'],
        ['cronjob', metadata.name],
      ]),
    })),
  );
}
