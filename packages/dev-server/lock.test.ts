import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tryLock, waitForLock } from './lock.mjs';

describe('lock file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-lock-'));
    file = join(folder, 'lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has one holder at a time', async () => {
    const release = await tryLock(file);
    expect(await tryLock(file)).toBeUndefined();
    await release?.();
    expect(existsSync(file)).toBe(false);
    const again = await tryLock(file);
    expect(again).toBeDefined();
    await again?.();
  });

  it('makes others wait, with a notice', async () => {
    const release = await tryLock(file);
    let waited = false;
    const next = waitForLock(file, () => {
      waited = true;
      void release?.();
    });
    await (await next)();
    expect(waited).toBe(true);
  });

  it('is taken over from a dead holder', async () => {
    // Above the highest process id of Linux, so no process has it.
    writeFileSync(file, `${hostname()} 4194304`);
    const release = await tryLock(file);
    expect(release).toBeDefined();
    await release?.();
  });

  it('stays with a suspended holder, and expires with a reboot of the machine', async () => {
    const past = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    writeFileSync(file, `${hostname()} ${process.ppid}`);
    utimesSync(file, past(60), past(60));
    expect(uptime()).toBeGreaterThan(60);
    expect(await tryLock(file)).toBeUndefined();
    utimesSync(file, past(uptime() + 60), past(uptime() + 60));
    const release = await tryLock(file);
    expect(release).toBeDefined();
    await release?.();
  });

  it('is released only by its holder', async () => {
    const release = await tryLock(file);
    writeFileSync(file, 'another-host 1');
    await release?.();
    expect(existsSync(file)).toBe(true);
  });

  it('is taken over from another host only after it has not been touched for long', async () => {
    writeFileSync(file, 'another-host 1');
    expect(await tryLock(file)).toBeUndefined();
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(file, longAgo, longAgo);
    const release = await tryLock(file);
    expect(release).toBeDefined();
    await release?.();
  });
});
