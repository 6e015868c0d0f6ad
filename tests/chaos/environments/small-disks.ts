import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Place } from '../environment.ts';

/**
 * Of the folder of all, which is PostgreSQL's as well, and of those of others in it; in megabytes. A mail server without room says "try
 * later" of each mail, which then waits for as long as that says.
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

/** What keeps things has a file system of its own that is soon full. */
export const smallDisks: Place = {
  name: 'one on small disks',
  async missing() {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a file system needs root on Linux';
    const folder = mkdtempSync(join(tmpdir(), 'atrium-disk-'));
    try {
      mount(join(folder, 'image'), join(folder, 'there'), 8);
      run('umount', join(folder, 'there'));
      return undefined;
    } catch (error) {
      return `a file system could not be mounted: ${String(error).split('\n')[0]}`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  prepare(home) {
    images = mkdtempSync(join(tmpdir(), 'atrium-disk-'));
    // However this process ends, nothing stays mounted.
    process.once('exit', unmount);
    for (const [disk, folder, megabytes] of DISKS) {
      const place = join(home, folder);
      mount(join(images, disk), place, megabytes);
      chmodSync(place, 0o711);
      mounted.set(disk, place);
    }
  },
  clear: async () => unmount(),
};

function unmount(): void {
  for (const place of [...mounted.values()].reverse()) run('umount', '--lazy', place);
  mounted.clear();
  if (images) rmSync(images, { recursive: true, force: true });
}

function mount(image: string, place: string, megabytes: number): void {
  mkdirSync(place, { recursive: true });
  run('truncate', '--size', `${megabytes}M`, image);
  run('mkfs.ext4', '-q', '-m', '0', image);
  run('mount', '-o', 'loop', image, place);
  rmSync(join(place, 'lost+found'), { recursive: true, force: true });
}

const run = (file: string, ...args: string[]) => execFileSync(file, args, { stdio: 'pipe' });

/** Takes all the room that is left; answers how to give it back. */
export function fill(disk: Disk): () => void {
  const place = mounted.get(disk);
  if (!place) throw new Error(`there is no disk of ${disk}`);
  const ballast = join(place, 'ballast');
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
