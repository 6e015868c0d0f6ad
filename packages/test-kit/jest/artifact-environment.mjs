import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { TestEnvironment } from 'jest-environment-node';

/** Functions that write diagnostics of a failed test into a folder. See `src/on-failure.ts`. */
const KEEPERS = Symbol.for('atrium.keepers');
/** The log files of running systems; see `packages/dev-server/system/log-file.ts`. */
const LOGS = Symbol.for('atrium.logs');

const slug = (words) =>
  words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replaceAll(/^-|-$/g, '') || 'suite';

const textOf = (error) =>
  stripVTControlCharacters(
    [error].flat().map((one) => String(one?.stack ?? one?.message ?? one))[0] ?? 'failed without a word',
  );

/** A Node environment in which a failed test leaves `output/failures/<suite>/<test>/` behind, before cleanup. */
export default class KeepingEnvironment extends TestEnvironment {
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

  async handleTestEvent(event) {
    if (event.name !== 'test_fn_failure' && event.name !== 'hook_failure') return;
    const place = event.test ?? event.describeBlock ?? event.hook?.parent;
    const names = [];
    for (let block = place; block?.parent; block = block.parent) names.unshift(block.name);
    await this.#keep(join(this.#folder, slug(names.join(' '))), event.error).catch((error) =>
      process.stderr.write(`what failed could not be kept: ${error}\n`),
    );
  }

  async #keep(folder, error) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'error.txt'), `${textOf(error)}\n`, { flag: 'a' });
    const logs = [...(this.global[LOGS] ?? [])];
    const copies = logs.map((file, index) => cp(file, join(folder, index ? `system-${index + 1}.log` : 'system.log')));
    const kept = [...(this.global[KEEPERS] ?? [])].map((keeper) => keeper(folder));
    await Promise.allSettled([...copies, ...kept]);
  }
}
