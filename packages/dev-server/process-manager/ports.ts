import { createServer, type Server } from 'node:net';
import { z } from 'zod';
import { codeOf } from './alive.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

export interface Ports {
  of(name: string, preferred?: number): Promise<number>;
  release(): void;
}

// Below the ephemeral port range of common systems, so that a port is still free after a restart.
const LOWEST = 20_000;
const HIGHEST = 31_999;
// No server listens on this address. Binding a port here marks it as taken for a second launcher that looks for ports before the first one's
// processes listen. On systems where not all of 127/8 is loopback, there are no marks.
const MARK_HOST = '127.65.84.82';
const remembered = z.record(z.string(), z.number().int().min(1).max(65_535));

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });

const mark = (port: number): Promise<Server | 'taken' | 'impossible'> =>
  new Promise((resolve) => {
    const server = createServer().unref();
    server.once('error', (error) => resolve(codeOf(error) === 'EADDRINUSE' ? 'taken' : 'impossible'));
    server.listen({ port, host: MARK_HOST, exclusive: true }, () => resolve(server));
  });

const read = (file: string): Record<string, number> => {
  try {
    return readJsonFile(file, remembered);
  } catch {
    return {};
  }
};

export const createPorts = (file: string): Ports => {
  const known = read(file);
  const assigned = new Set<number>();
  const marks: Server[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  const claim = async (port: number): Promise<boolean> => {
    if (assigned.has(port)) return false;
    // The mark comes first: probing a port binds it briefly, possibly just when its owner starts to listen.
    const marked = await mark(port);
    if (marked === 'taken') return false;
    if (typeof marked === 'object') marks.push(marked);
    return isFree(port);
  };

  const choose = async (): Promise<number> => {
    const others = new Set(Object.values(known));
    for (;;) {
      const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
      if (!others.has(port) && (await claim(port))) return port;
    }
  };

  const decide = async (name: string, preferred?: number): Promise<number> => {
    for (const candidate of [known[name], preferred]) {
      if (candidate && (await claim(candidate))) return candidate;
    }
    return choose();
  };

  const give = async (name: string, preferred?: number): Promise<number> => {
    const port = await decide(name, preferred);
    assigned.add(port);
    if (known[name] !== port) {
      known[name] = port;
      writeJsonFile(file, known);
    }
    return port;
  };

  return {
    of(name, preferred) {
      const port = queue.then(() => give(name, preferred));
      queue = port.catch(() => undefined);
      return port;
    },
    release() {
      for (const server of marks.splice(0)) server.close();
    },
  };
};
