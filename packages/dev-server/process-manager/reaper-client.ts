import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sendSignal } from './alive.ts';

export interface ReapedProcess {
  pid: number;
  signal: NodeJS.Signals;
  stopPhase: number;
  cleanup?: string[];
}

export type ReaperMessage = { add: ReapedProcess } | { remove: number } | { folder: string };

export interface ReaperClient {
  /**
   * The reaper's process id. While the reaper of an earlier launcher lives, processes of that launcher may still end.
   */
  pid(): number;
  /** Whether the shutdown has begun, so that nothing may be started anymore. */
  isClosing(): boolean;
  add(process: ReapedProcess): void;
  remove(pid: number): void;
  addFolder(folder: string): void;
  close(): Promise<void>;
}

const REAPER = fileURLToPath(new URL('./orphan-reaper.ts', import.meta.url));

const spawnReaper = (): ChildProcess => {
  // `detached` creates a session that the terminal's Ctrl-C does not reach.
  const child = spawn(process.execPath, [REAPER], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin?.on('error', () => undefined);
  child.unref();
  return child;
};

export const createReaperClient = (): ReaperClient => {
  const reaped = new Map<number, ReapedProcess>();
  const folders = new Set<string>();
  let isClosing = false;
  let closed: Promise<void> | undefined;
  let child: ChildProcess;
  const send = (message: ReaperMessage): void => {
    child.stdin?.write(`${JSON.stringify(message)}\n`);
  };
  const spawnAndSync = (): void => {
    child = spawnReaper();
    child.once('exit', () => {
      if (!isClosing) spawnAndSync();
    });
    for (const add of reaped.values()) send({ add });
    for (const folder of folders) send({ folder });
  };
  spawnAndSync();
  return {
    pid: () => child.pid ?? 0,
    isClosing: () => isClosing,
    add(reapedProcess) {
      // The process was started just as the shutdown began.
      if (isClosing) sendSignal(-reapedProcess.pid, 'SIGKILL');
      reaped.set(reapedProcess.pid, reapedProcess);
      send({ add: reapedProcess });
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
      isClosing = true;
      closed ??= new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.ref();
        child.stdin?.end();
      });
      return closed;
    },
  };
};
