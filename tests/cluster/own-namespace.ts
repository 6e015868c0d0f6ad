import type { Kubectl } from './kubectl.ts';

/**
 * Uses a namespace that nobody has yet, and removes it with all that is in it, also where the use has failed half-way. Throws where it
 * exists: somebody may work there, and everything of it would get other secrets, and be deleted at the end.
 */
export async function useOwnNamespace(
  { namespace, run }: Pick<Kubectl, 'namespace' | 'run'>,
  { keep }: { keep: boolean },
  use: () => Promise<void>,
): Promise<void> {
  const found = await run('get', 'namespace', namespace, '--ignore-not-found', '--output', 'name');
  if (found.trim() !== '')
    throw new Error(`The namespace ${namespace} exists. This check makes one of its own and deletes it.`);
  try {
    await use();
  } finally {
    if (!keep) await run('delete', 'namespace', namespace, '--ignore-not-found', '--wait=true');
  }
}
