import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../environment.ts';

/**
 * Sizes in megabytes. PostgreSQL's disk holds the whole data folder, and the others are mounted inside it. A mail
 * server without disk space returns a temporary failure for each email, so the email waits for its retry delay.
 */
const DISKS = [
  ['postgres', '.', 900],
  ['nats', 'nats', 200],
  ['objects', 'objects', 300],
  ['mailbox', 'mailbox', 50],
] as const;
export type Disk = (typeof DISKS)[number][0];

const BLOCK = Buffer.alloc(1024 * 1024, 1);
const mounted = new Map<Disk, string>();
let images: string | undefined;

/** Gives every store a small, separate file system that can be filled quickly. */
export const smallDisks: Environment = {
  name: 'an environment with small disks',
  async getUnavailableReason() {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a file system needs root on Linux';
    const folder = mkdtempSync(join(tmpdir(), 'atrium-disk-'));
    try {
      mount(join(folder, 'image'), join(folder, 'mount'), 8);
      run('umount', join(folder, 'mount'));
      return undefined;
    } catch (error) {
      return `mounting a file system failed: ${String(error).split('\n')[0]}`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  prepareDataDir(dataDir) {
    images = mkdtempSync(join(tmpdir(), 'atrium-disk-'));
    // Unmounts no matter how this process ends.
    process.once('exit', unmount);
    for (const [disk, folder, megabytes] of DISKS) {
      const mountPoint = join(dataDir, folder);
      mount(join(images, disk), mountPoint, megabytes);
      chmodSync(mountPoint, 0o711);
      mounted.set(disk, mountPoint);
    }
  },
  cleanUp: async () => unmount(),
};

function unmount(): void {
  for (const mountPoint of [...mounted.values()].reverse()) run('umount', '--lazy', mountPoint);
  mounted.clear();
  if (images) rmSync(images, { recursive: true, force: true });
}

function mount(image: string, mountPoint: string, megabytes: number): void {
  mkdirSync(mountPoint, { recursive: true });
  run('truncate', '--size', `${megabytes}M`, image);
  run('mkfs.ext4', '-q', '-m', '0', image);
  run('mount', '-o', 'loop', image, mountPoint);
  rmSync(join(mountPoint, 'lost+found'), { recursive: true, force: true });
}

const run = (file: string, ...args: string[]) => execFileSync(file, args, { stdio: 'pipe' });

/** Fills the disk; the returned function frees the space. */
export function fill(disk: Disk): () => void {
  const mountPoint = mounted.get(disk);
  if (!mountPoint) throw new Error(`No disk for ${disk}`);
  const ballast = join(mountPoint, 'ballast');
  const file = openSync(ballast, 'w');
  try {
    for (let size = BLOCK.length; size >= 512; size /= 2) writeUntilFull(file, BLOCK.subarray(0, size));
  } finally {
    closeSync(file);
  }
  return () => rmSync(ballast);
}

function writeUntilFull(file: number, block: Buffer): void {
  for (;;) {
    try {
      if (writeSync(file, block) < block.length) return;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
      throw error;
    }
  }
}
