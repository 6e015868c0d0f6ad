import { createServer, type Server } from 'node:net';
import { z } from 'zod';
import { getErrorCode } from './alive.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

export interface Ports {
  /** Returns the port of a previous run, the preferred port, or any other, whichever is free first. */
  reserve(name: string, preferred?: number): Promise<number>;
  /** Lets other launchers reserve the ports that no process listens on. */
  release(): void;
}

// The range is below the ephemeral ports of common systems, so that a port is still free after a restart.
const MIN_PORT = 20_000;
const MAX_PORT = 31_999;
// No server listens on this address. Binding a port here marks it as taken for a second launcher that looks for ports
// before the processes of the first one listen. Systems where not all of 127/8 is loopback have no markers.
const MARKER_HOST = '127.65.84.82';
const portsSchema = z.record(z.string(), z.number().int().min(1).max(65_535));

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });

const bindMarker = (port: number): Promise<Server | 'taken' | 'impossible'> =>
  new Promise((resolve) => {
    const server = createServer().unref();
    server.once('error', (error) => resolve(getErrorCode(error) === 'EADDRINUSE' ? 'taken' : 'impossible'));
    server.listen({ port, host: MARKER_HOST, exclusive: true }, () => resolve(server));
  });

const readRecordedPorts = (file: string): Record<string, number> => {
  try {
    return readJsonFile(file, portsSchema);
  } catch {
    return {};
  }
};

export const createPorts = (file: string): Ports => {
  const recordedPorts = readRecordedPorts(file);
  const assigned = new Set<number>();
  const markers: Server[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  const claim = async (port: number): Promise<boolean> => {
    if (assigned.has(port)) return false;
    // The marker comes first, because probing a port binds it briefly, possibly just when its owner starts to listen.
    const marker = await bindMarker(port);
    if (marker === 'taken') return false;
    if (typeof marker === 'object') markers.push(marker);
    return isFree(port);
  };

  const findFreePort = async (): Promise<number> => {
    const reservedPorts = new Set(Object.values(recordedPorts));
    for (;;) {
      const port = MIN_PORT + Math.floor(Math.random() * (MAX_PORT - MIN_PORT));
      if (!reservedPorts.has(port) && (await claim(port))) return port;
    }
  };

  const choosePort = async (name: string, preferred?: number): Promise<number> => {
    for (const candidate of [recordedPorts[name], preferred]) {
      if (candidate && (await claim(candidate))) return candidate;
    }
    return findFreePort();
  };

  const reserveNext = async (name: string, preferred?: number): Promise<number> => {
    const port = await choosePort(name, preferred);
    assigned.add(port);
    if (recordedPorts[name] !== port) {
      recordedPorts[name] = port;
      writeJsonFile(file, recordedPorts);
    }
    return port;
  };

  return {
    reserve(name, preferred) {
      const port = queue.then(() => reserveNext(name, preferred));
      queue = port.catch(() => undefined);
      return port;
    },
    release() {
      for (const server of markers.splice(0)) server.close();
    },
  };
};
