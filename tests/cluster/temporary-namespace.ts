import type { Kubectl } from './kubectl.ts';

/**
 * Runs a function with a namespace that does not exist yet, and then deletes the namespace, even after a failure.
 * Throws if the namespace exists, because its content would get new secrets and be deleted.
 */
export async function withTemporaryNamespace(
  { namespace, run }: Pick<Kubectl, 'namespace' | 'run'>,
  { keep }: { keep: boolean },
  work: () => Promise<void>,
): Promise<void> {
  const existing = await run('get', 'namespace', namespace, '--ignore-not-found', '--output', 'name');
  if (existing.trim() !== '')
    throw new Error(
      `The namespace ${namespace} already exists. This check creates and deletes it, so delete it first.`,
    );
  try {
    await work();
  } finally {
    if (!keep) await run('delete', 'namespace', namespace, '--ignore-not-found', '--wait=true');
  }
}
