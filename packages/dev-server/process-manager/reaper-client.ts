import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sendSignal } from './alive.ts';

export interface ReapedProcess {
  pid: number;
  signal: NodeJS.Signals;
  order: number;
  cleanup?: string[];
}

export type ReaperMessage = { add: ReapedProcess } | { remove: number } | { folder: string };

export interface ReaperClient {
  /** The reaper's process id: while it lives, processes of an earlier launcher may still be ending. */
  pid(): number;
  /** Whether the shutdown has begun: nothing may be started any more. */
  isClosing(): boolean;
  add(process: ReapedProcess): void;
  remove(pid: number): void;
  addFolder(folder: string): void;
  close(): Promise<void>;
}

const REAPER = fileURLToPath(new URL('./orphan-reaper.ts', import.meta.url));

const spawnReaper = (): ChildProcess => {
  // `detached` creates a session out of reach of the terminal's Ctrl-C.
  const child = spawn(process.execPath, [REAPER], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin?.on('error', () => undefined);
  child.unref();
  return child;
};

export const createReaperClient = (): ReaperClient => {
  const reaped = new Map<number, ReapedProcess>();
  const folders = new Set<string>();
  let closing = false;
  let closed: Promise<void> | undefined;
  let child: ChildProcess;
  const send = (message: ReaperMessage): void => {
    child.stdin?.write(`${JSON.stringify(message)}\n`);
  };
  const open = (): void => {
    child = spawnReaper();
    child.once('exit', () => {
      if (!closing) open();
    });
    for (const add of reaped.values()) send({ add });
    for (const folder of folders) send({ folder });
  };
  open();
  return {
    pid: () => child.pid ?? 0,
    isClosing: () => closing,
    add(ward) {
      // Registered just as the shutdown began.
      if (closing) sendSignal(-ward.pid, 'SIGKILL');
      reaped.set(ward.pid, ward);
      send({ add: ward });
    },
    remove(pid) {
      reaped.delete(pid);
      send({ remove: pid });
    },
    addFolder(folder) {
      folders.add(folder);
      send({ folder });
    },
    close() {
      closing = true;
      closed ??= new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.ref();
        child.stdin?.end();
      });
      return closed;
    },
  };
};
