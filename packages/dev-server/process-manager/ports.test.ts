import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPorts } from './ports.ts';
import { createSecrets } from './secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const once = async (file: string): Promise<number> => {
  const ports = createPorts(file);
  const port = await ports.of('nats');
  ports.release();
  return port;
};

const take = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer().listen(port, '127.0.0.1', () => resolve(server));
  });

describe('createPorts', () => {
  it('remembers ports across starts', async () => {
    const file = join(folder, 'ports.json');
    const first = await once(file);
    expect(await once(file)).toBe(first);
  });

  it('chooses a new port if another program uses the remembered one', async () => {
    const file = join(folder, 'ports.json');
    const first = await once(file);
    const server = await take(first);
    const second = await once(file);
    expect(second).not.toBe(first);
    expect(await once(file)).toBe(second);
    server.close();
  });

  it('never gives a port to two launchers, even before anything listens on it', async () => {
    const file = join(folder, 'ports.json');
    const [one, two] = [createPorts(file), createPorts(file)];
    const first = await one.of('nats');
    const second = await createPorts(file).of('nats', first);
    if (process.platform === 'linux') expect(second).not.toBe(first);
    one.release();
    expect(await two.of('other', first)).toBe(first);
    two.release();
  });

  it('gives different ports to concurrent callers', async () => {
    const ports = createPorts(join(folder, 'ports.json'));
    const names = Array.from({ length: 30 }, (_, index) => `part-${index}`);
    const assigned = await Promise.all(names.map((name) => ports.of(name)));
    expect(new Set(assigned).size).toBe(30);
    ports.release();
  });

  it('recovers from a damaged file', async () => {
    const file = join(folder, 'ports.json');
    writeFileSync(file, '{"nats": "abc"');
    expect(await once(file)).toBeGreaterThan(0);
  });
});

describe('createSecrets', () => {
  it('creates each secret once, unique and readable only by the owner', () => {
    const file = join(folder, 'secrets.json');
    const secrets = createSecrets(file);
    expect(secrets.of('a')).toMatch(/^[0-9a-f]{48}$/);
    expect(secrets.of('a')).not.toBe(secrets.of('b'));
    expect(createSecrets(file).of('a')).toBe(secrets.of('a'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('fails instead of replacing a damaged file', () => {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, 'not json');
    expect(() => createSecrets(file)).toThrow(/Restore it, or delete its folder/);
    expect(readFileSync(file, 'utf8')).toBe('not json');
  });
});
