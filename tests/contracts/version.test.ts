import { VERSION } from '@atrium/tools/backup/manifest';
import { describe, expect, it } from '@jest/globals';
import { read } from './sources.ts';

const { version } = JSON.parse(read('package.json')) as { version: string };

/** Files that contain the version of Atrium, each with a pattern whose group is the version. */
const FILES = {
  'CHANGELOG.md': /^## \[(\d[\w.-]*)\]/m,
  'deploy/.env.example': /^ATRIUM_VERSION=([\w.-]+)$/m,
  'deploy/backing/kustomization.yaml': /name: atrium\/[a-z-]+, newTag: ([\w.-]+) \}/g,
  'deploy/base/kustomization.yaml': /name: atrium\/[a-z-]+, newTag: ([\w.-]+) \}/g,
  'deploy/components/backup/kustomization.yaml': /name: atrium\/[a-z-]+, newTag: ([\w.-]+) \}/g,
  'deploy/compose.yaml': /image: atrium\/[a-z-]+:\$\{ATRIUM_VERSION:-([\w.-]+)\}/g,
  'deploy/images/Dockerfile': /^ARG VERSION=([\w.-]+)$/m,
  'deploy/images/build.ts': /tag: \{ type: 'string', default: '([\w.-]+)' \}/,
  'tests/cluster/options.ts': /tag: \{ type: 'string', default: '([\w.-]+)' \}/,
  'tools/new-service/register-deployment.ts': /ATRIUM_VERSION:-([\w.-]+)\}/,
};

describe('the version of the root package.json', () => {
  it.each(Object.entries(FILES))('is also the version in %s', (file, pattern) => {
    const matches = [...read(file).matchAll(new RegExp(pattern, pattern.flags.replace('g', '').concat('g')))];
    expect(matches.length).toBeGreaterThan(0);
    // The changelog starts with the latest version.
    const versions = file === 'CHANGELOG.md' ? matches.slice(0, 1) : matches;
    expect(new Set(versions.map(([, matchedVersion]) => matchedVersion))).toEqual(new Set([version]));
  });

  it('is also the version in the manifests of backups', () => {
    expect(VERSION).toBe(version);
  });
});
