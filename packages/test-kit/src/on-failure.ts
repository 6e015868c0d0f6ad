const KEEPERS = Symbol.for('atrium.keepers');

/** Writes what helps to understand a failure into that folder. */
export type ArtifactWriter = (folder: string) => Promise<void>;

/**
 * From now on `keeper` runs whenever a test of this file fails, before anything is closed. It works in Jest projects whose
 * environment is `jest/artifact-environment.mjs`.
 */
export function onFailure(keeper: ArtifactWriter): void {
  const all = globalThis as { [KEEPERS]?: Set<ArtifactWriter> };
  all[KEEPERS] ??= new Set();
  all[KEEPERS].add(keeper);
}
