import { describe, expect, it } from '@jest/globals';
import { containerProcess, listVolumes } from './container.ts';
import { readImage } from './images.ts';
import type { Program } from './server.ts';

const program: Program = { provider: 'container', file: '/usr/bin/docker', image: 'postgres:18', version: '18' };
const options = {
  name: 'postgres',
  ports: { 25432: 5432 },
  data: '/var/lib/postgresql',
  env: { POSTGRES_PASSWORD: 'hidden' },
  args: ['postgres'],
};
const context = (durable: boolean) => ({ home: '/somewhere/.atrium', durable });

describe('containerProcess', () => {
  it('publishes ports on loopback, stores data in a volume of its checkout, and hides passwords', () => {
    const { args, env } = containerProcess(program, context(true), options);
    expect(args).toEqual(expect.arrayContaining(['127.0.0.1:25432:5432', '--rm', 'postgres:18', 'postgres']));
    expect(args).toContain(`${listVolumes('/somewhere/.atrium')[0]}:/var/lib/postgresql`);
    expect(args.join(' ')).not.toContain('hidden');
    expect(env.POSTGRES_PASSWORD).toBe('hidden');
  });

  it('returns a cleanup command that removes the container and its anonymous volumes', () => {
    const { args, cleanup } = containerProcess(program, context(false), options);
    const name = args[args.indexOf('--name') + 1] ?? '';
    expect(cleanup).toEqual(['/usr/bin/docker', 'rm', '--force', '--volumes', name]);
    expect(args).not.toContain('-v');
  });

  it('uses images that deploy/compose.yaml pins to a version', () => {
    for (const name of ['postgres', 'redis', 'nats', 'mongo', 'objects'])
      expect(readImage(name)).toMatch(/:(RELEASE\.)?\d+[.-]\d+/);
    expect(() => readImage('unknown')).toThrow('deploy/compose.yaml has no image for unknown');
  });
});
