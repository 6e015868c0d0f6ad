import { describe, expect, it } from '@jest/globals';
import { findMutualImports } from './find-mutual-imports.ts';

const find = (sources: Record<string, string>) =>
  findMutualImports(Object.entries(sources).map(([path, text]) => ({ path, text })));

describe('findMutualImports', () => {
  it('finds folders that import each other, and lists the imports of the smaller direction', () => {
    const sources = {
      'services/users/src/people/read.ts': "import { a } from '../teams/a.ts';\nimport '../teams/b.ts';\n",
      'services/users/src/teams/a.ts': "export type { Person } from '../people/read.ts';\n",
    };
    expect(find(sources)).toEqual([
      {
        tree: 'services/users/src',
        folders: ['services/users/src/people', 'services/users/src/teams'],
        imports: ['services/users/src/teams/a.ts imports ../people/read.ts'],
      },
    ]);
  });

  it('finds a folder and its subfolder that import each other, also dynamically', () => {
    const [pair] = find({
      'packages/kit/src/events/start.ts': "const { run } = await import('./consumer/run.ts');\n",
      'packages/kit/src/events/consumer/run.ts': "import type { Event } from '../event.ts';\n",
    });
    expect(pair?.folders).toEqual(['packages/kit/src/events', 'packages/kit/src/events/consumer']);
  });

  it('accepts imports in one direction, within a folder, and between trees', () => {
    const sources = {
      'services/users/src/people/read.ts': "import { a } from '../teams/a.ts';\nimport './write.ts';\n",
      'services/users/src/people/write.ts': "import { b } from '../../../../gateway/src/http/b.ts';\n",
      'gateway/src/http/b.ts': "import { c } from '../../../services/users/src/people/c.ts';\n",
    };
    expect(find(sources)).toEqual([]);
  });

  it('compares a file at the top of a tree like a folder', () => {
    const app = { 'gateway/src/app.ts': "import { route } from './routes/route.ts';\n" };
    const config = { 'gateway/src/routes/route.ts': "import type { Config } from '../config.ts';\n" };
    expect(find({ ...app, ...config })).toEqual([]);
    const [pair] = find({ ...app, 'gateway/src/routes/route.ts': "import type { App } from '../app.ts';\n" });
    expect(pair?.folders).toEqual(['gateway/src/app.ts', 'gateway/src/routes']);
  });

  it('resolves imports by `#` in the web app, where each layer and each feature is a tree', () => {
    const layers = { 'web/src/lib/day.ts': "import { read } from '#realtime/read.ts';\n" };
    expect(find({ ...layers, 'web/src/realtime/read.ts': "import '#lib/day.ts';\n" })).toEqual([]);
    const [pair] = find({
      'web/src/features/chat/log/store.ts': "import { send } from '#features/chat/sending/send.ts';\n",
      'web/src/features/chat/sending/send.ts': "import { store } from '../log/store.ts';\n",
    });
    expect(pair?.tree).toBe('web/src/features/chat');
  });
});
