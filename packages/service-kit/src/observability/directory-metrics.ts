import type { Registry } from 'prom-client';
import type { Directory } from '../directory/directory.ts';
import type { ProjectDirectory } from '../directory/project-directory.ts';
import { type GaugeSample, gaugeAtScrape } from './gauge-at-scrape.ts';

/**
 * The number of users and projects in memory and their age; absent before the directory was complete for the first
 * time. A process that waits for its schema or for NATS has no stale directory; `dependency_up` reports that it
 * waits.
 */
export function measureDirectory(registry: Registry, directory: Directory, projects: ProjectDirectory): void {
  const onceWhole = (read: () => readonly GaugeSample[]) => () => (Number.isFinite(directory.ageMs()) ? read() : []);
  gaugeAtScrape(registry, {
    name: 'directory_entries',
    help: 'Users, departments, and projects in memory, including deleted ones',
    labelNames: ['kind'],
    read: onceWhole(() =>
      Object.entries({ ...directory.sizes(), projects: projects.size() }).map(([kind, value]) => ({
        labels: { kind },
        value,
      })),
    ),
  });
  gaugeAtScrape(registry, {
    name: 'directory_age_seconds',
    help: 'Time since the directory was last confirmed to be complete; absent before the first time',
    read: onceWhole(() => [{ value: directory.ageMs() / 1_000 }]),
  });
  gaugeAtScrape(registry, {
    name: 'directory_updated_seconds',
    help: 'Time since the last update of a user or a department; absent before the first',
    read: onceWhole(() => {
      const sinceMs = directory.sinceUpdateMs();
      return sinceMs === undefined ? [] : [{ value: sinceMs / 1_000 }];
    }),
  });
}
