import type { Registry } from 'prom-client';
import type { Directory } from '../directory/directory.ts';
import type { ProjectDirectory } from '../directory/project-directory.ts';
import { type GaugeSample, gaugeAtScrape } from './gauge-at-scrape.ts';

/**
 * Shows how much this process holds of people and projects, and how old that is; nothing before it has once held all of it. Who waits for
 * a schema or for NATS has no old directory and knows nobody less than others: that it waits says `part_up`.
 */
export function measureDirectory(registry: Registry, directory: Directory, projects: ProjectDirectory): void {
  const onceWhole = (read: () => readonly GaugeSample[]) => () => (Number.isFinite(directory.ageMs()) ? read() : []);
  gaugeAtScrape(registry, {
    name: 'directory_entries',
    help: 'People, departments and projects in memory, those that were deleted included',
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
    help: 'Since when it was last known to hold all that the users service has told; absent before it first did',
    read: onceWhole(() => [{ value: directory.ageMs() / 1_000 }]),
  });
  gaugeAtScrape(registry, {
    name: 'directory_updated_seconds',
    help: 'Since when nothing about people or departments has come; absent before the first',
    read: onceWhole(() => {
      const sinceMs = directory.sinceUpdateMs();
      return sinceMs === undefined ? [] : [{ value: sinceMs / 1_000 }];
    }),
  });
}
