import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { TestEnvironment } from 'jest-environment-node';
import { strict } from './strict.mjs';

const ARTIFACT_WRITERS = Symbol.for('atrium.artifact-writers');
const LOGS = Symbol.for('atrium.logs');

const slug = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replaceAll(/^-|-$/g, '') || 'suite';

const formatError = (error) => {
  const [first] = [error].flat();
  return stripVTControlCharacters(String(first?.stack ?? first?.message ?? first));
};

/** Writes the artifacts of a failed test to `output/failures/<suite>/<test>/`, before its cleanup runs. */
export default class ArtifactEnvironment extends strict(TestEnvironment) {
  #folder;

  constructor(config, context) {
    super(config, context);
    const suite = basename(context.testPath).replace(/\.test\.\w+$/, '');
    this.#folder = join(config.projectConfig.rootDir, 'output/failures', suite);
  }

  async setup() {
    await super.setup();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async handleTestEvent(event, state) {
    await super.handleTestEvent(event, state);
    if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
    const failedBlock = event.test ?? event.describeBlock ?? event.hook?.parent;
    const names = [];
    for (let block = failedBlock; block?.parent; block = block.parent) names.unshift(block.name);
    await this.#writeArtifacts(join(this.#folder, slug(names.join(' '))), event.error).catch((error) =>
      process.stderr.write(`Failed to write the artifacts of a failed test: ${error}\n`),
    );
  }

  async #writeArtifacts(folder, error) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'error.txt'), `${formatError(error)}\n`, { flag: 'a' });
    const logs = [...(this.global[LOGS] ?? [])];
    const copies = logs.map((file, index) => cp(file, join(folder, index ? `system-${index + 1}.log` : 'system.log')));
    const writes = [...(this.global[ARTIFACT_WRITERS] ?? [])].map((write) => write(folder));
    await Promise.allSettled([...copies, ...writes]);
  }
}
