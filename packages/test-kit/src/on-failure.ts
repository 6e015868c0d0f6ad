const ARTIFACT_WRITERS = Symbol.for('atrium.artifact-writers');

type ArtifactWriter = (folder: string) => Promise<void>;

/**
 * Registers a function that writes artifacts of a failed test to a folder. It runs before cleanup, in Jest projects
 * with the environment `jest/artifact-environment.mjs`.
 */
export function onFailure(write: ArtifactWriter): void {
  const scope = globalThis as { [ARTIFACT_WRITERS]?: Set<ArtifactWriter> };
  scope[ARTIFACT_WRITERS] ??= new Set();
  scope[ARTIFACT_WRITERS].add(write);
}
