import { describe, expect, it } from '@jest/globals';
import { containerPart, volumesOf } from './container.ts';
import { imageOf } from './images.ts';
import type { Program } from './server.ts';

const program: Program = { way: 'in a container', file: '/usr/bin/docker', image: 'postgres:18', version: '18' };
const options = {
  name: 'postgres',
  ports: { 25432: 5432 },
  data: '/var/lib/postgresql',
  env: { POSTGRES_PASSWORD: 'hidden' },
  args: ['postgres'],
};
const toolbox = (durable: boolean) => ({ home: '/somewhere/.atrium', durable });

describe('a backing server in a container', () => {
  it('listens on loopback alone, keeps its data in a volume of this checkout, and shows no password', () => {
    const { args, env } = containerPart(program, toolbox(true), options);
    expect(args).toEqual(expect.arrayContaining(['127.0.0.1:25432:5432', '--rm', 'postgres:18', 'postgres']));
    expect(args).toContain(`${volumesOf('/somewhere/.atrium')[0]}:/var/lib/postgresql`);
    expect(args.join(' ')).not.toContain('hidden');
    expect(env.POSTGRES_PASSWORD).toBe('hidden');
  });

  it('is removed by name when its client was killed, and leaves no volume of a test run', () => {
    const { args, cleanup } = containerPart(program, toolbox(false), options);
    const name = args[args.indexOf('--name') + 1] ?? '';
    expect(cleanup).toEqual(['/usr/bin/docker', 'rm', '--force', '--volumes', name]);
    expect(args).not.toContain('-v');
  });

  it('runs an image that deploy/compose.yaml pins to a version', () => {
    for (const name of ['postgres', 'redis', 'nats', 'mongo', 'objects'])
      expect(imageOf(name)).toMatch(/:(RELEASE\.)?\d+[.-]\d+/);
    expect(() => imageOf('unknown')).toThrow('deploy/compose.yaml has no image for unknown');
  });
});
