import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sendSignal } from './alive.ts';

/** A process that must not outlive the launcher: how it is asked to end, and a command that removes what it leaves. */
export interface ReapedProcess {
  pid: number;
  signal: NodeJS.Signals;
  /** Who goes first: a lower number ends before a higher one is asked to. */
  order: number;
  cleanup?: string[];
}

export type GuardMessage = { add: ReapedProcess } | { remove: number } | { folder: string };

export interface Guard {
  /** The guardian's own process id: while it lives, processes of an earlier launcher may still be ending. */
  pid(): number;
  /** Whether everything is being ended: nothing may be started any more. */
  isClosing(): boolean;
  add(ward: ReapedProcess): void;
  remove(pid: number): void;
  /** A folder that goes when the launcher goes. */
  addFolder(folder: string): void;
  /** Lets the guardian go; whatever is still registered ends with it. */
  close(): Promise<void>;
}

const GUARDIAN = fileURLToPath(new URL('./orphan-reaper.ts', import.meta.url));

const spawnGuardian = (): ChildProcess => {
  // `detached` gives it a session of its own, out of reach of the terminal's Ctrl-C.
  const child = spawn(process.execPath, [GUARDIAN], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin?.on('error', () => undefined);
  child.unref();
  return child;
};

export const createGuard = (): Guard => {
  const wards = new Map<number, ReapedProcess>();
  const folders = new Set<string>();
  let closing = false;
  let closed: Promise<void> | undefined;
  let child: ChildProcess;
  const send = (message: GuardMessage): void => {
    child.stdin?.write(`${JSON.stringify(message)}\n`);
  };
  const open = (): void => {
    child = spawnGuardian();
    child.once('exit', () => {
      if (!closing) open();
    });
    for (const add of wards.values()) send({ add });
    for (const folder of folders) send({ folder });
  };
  open();
  return {
    pid: () => child.pid ?? 0,
    isClosing: () => closing,
    add(ward) {
      // Started in the very moment in which everything ends.
      if (closing) sendSignal(-ward.pid, 'SIGKILL');
      wards.set(ward.pid, ward);
      send({ add: ward });
    },
    remove(pid) {
      wards.delete(pid);
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
