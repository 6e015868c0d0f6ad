import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Kubectl, Pod } from '../kubectl.ts';

/** Copies a file as skaffold's sync does: a tar archive, unpacked in the source folder of the image. */
export async function copyFile(kubectl: Kubectl, { metadata }: Pod, path: string, content: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-sync-'));
  try {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
    const pack = spawn('tar', ['-cf', '-', '-C', folder, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const unpack = ['tar', 'xmf', '-', '-C', '/build', '--no-same-owner'];
    const args = ['--namespace', kubectl.namespace, 'exec', '-i', metadata.name, '-c', 'app', '--', ...unpack];
    const child = spawn('kubectl', args, { stdio: ['pipe', 'inherit', 'inherit'] });
    const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    await pipeline(pack.stdout, child.stdin);
    const code = await ended;
    if (code !== 0) throw new Error(`Failed to copy ${path}: kubectl exited with ${code}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
