const KEEPERS = Symbol.for('atrium.keepers');

export type ArtifactWriter = (folder: string) => Promise<void>;

/**
 * Registers `keeper` to run whenever a test of this file fails, before cleanup. Works in Jest projects with the
 * environment `jest/artifact-environment.mjs`.
 */
export function onFailure(keeper: ArtifactWriter): void {
  const all = globalThis as { [KEEPERS]?: Set<ArtifactWriter> };
  all[KEEPERS] ??= new Set();
  all[KEEPERS].add(keeper);
}
