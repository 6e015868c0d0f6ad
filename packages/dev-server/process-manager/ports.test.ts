import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPorts } from './ports.ts';
import { createSecrets } from './secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-ports-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const reserveOnce = async (file: string): Promise<number> => {
  const ports = createPorts(file);
  const port = await ports.reserve('nats');
  ports.release();
  return port;
};

const listenOn = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer().listen(port, '127.0.0.1', () => resolve(server));
  });

describe('createPorts', () => {
  it('remembers ports across starts', async () => {
    const file = join(folder, 'ports.json');
    const first = await reserveOnce(file);
    expect(await reserveOnce(file)).toBe(first);
  });

  it('chooses a new port if another program uses the remembered one', async () => {
    const file = join(folder, 'ports.json');
    const first = await reserveOnce(file);
    const server = await listenOn(first);
    const second = await reserveOnce(file);
    expect(second).not.toBe(first);
    expect(await reserveOnce(file)).toBe(second);
    server.close();
  });

  it('never reserves a port for two launchers, even before anything listens on it', async () => {
    const file = join(folder, 'ports.json');
    const ports = createPorts(file);
    const laterPorts = createPorts(file);
    const first = await ports.reserve('nats');
    const second = await createPorts(file).reserve('nats', first);
    if (process.platform === 'linux') expect(second).not.toBe(first);
    ports.release();
    expect(await laterPorts.reserve('other', first)).toBe(first);
    laterPorts.release();
  });

  it('reserves different ports for concurrent callers', async () => {
    const ports = createPorts(join(folder, 'ports.json'));
    const names = Array.from({ length: 30 }, (_, index) => `process-${index}`);
    const assigned = await Promise.all(names.map((name) => ports.reserve(name)));
    expect(new Set(assigned).size).toBe(30);
    ports.release();
  });

  it('recovers from a damaged file', async () => {
    const file = join(folder, 'ports.json');
    writeFileSync(file, '{"nats": "abc"');
    expect(await reserveOnce(file)).toBeGreaterThan(0);
  });
});

describe('createSecrets', () => {
  it('creates unique secrets once, in a file that only its owner can read', () => {
    const file = join(folder, 'secrets.json');
    const secrets = createSecrets(file);
    expect(secrets.get('a')).toMatch(/^[0-9a-f]{48}$/);
    expect(secrets.get('a')).not.toBe(secrets.get('b'));
    expect(createSecrets(file).get('a')).toBe(secrets.get('a'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('fails instead of replacing a damaged file', () => {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, 'not json');
    expect(() => createSecrets(file)).toThrow(/Restore it, or delete its folder/);
    expect(readFileSync(file, 'utf8')).toBe('not json');
  });
});
