import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { z } from 'zod';

export interface Ports {
  /** The port of a name: the remembered one while it is free, else a new one, which is remembered. */
  of(name: string, preferred?: number): Promise<number>;
}

// Below the range from which systems take the ports of outgoing connections, so that a restart finds its port free.
const LOWEST = 20_000;
const HIGHEST = 31_999;
const remembered = z.record(z.string(), z.number().int().min(1).max(65_535));

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });

const read = (file: string): Record<string, number> => {
  try {
    return remembered.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
};

const choose = async (taken: Set<number>): Promise<number> => {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (!taken.has(port) && (await isFree(port))) return port;
  }
};

export const createPorts = (file: string): Ports => {
  const known = read(file);
  const given = new Set<number>();
  let queue: Promise<unknown> = Promise.resolve();

  const decide = async (name: string, preferred?: number): Promise<number> => {
    for (const candidate of [known[name], preferred]) {
      if (candidate && !given.has(candidate) && (await isFree(candidate))) return candidate;
    }
    return choose(new Set([...given, ...Object.values(known)]));
  };

  const give = async (name: string, preferred?: number): Promise<number> => {
    const port = await decide(name, preferred);
    given.add(port);
    if (known[name] !== port) {
      known[name] = port;
      writeFileSync(`${file}.new`, `${JSON.stringify(known, null, 2)}\n`);
      renameSync(`${file}.new`, file);
    }
    return port;
  };

  return {
    of(name, preferred) {
      const port = queue.then(() => give(name, preferred));
      queue = port.catch(() => undefined);
      return port;
    },
  };
};
